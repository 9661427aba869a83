// SPDX-License-Identifier: Apache-2.0
/**
 * Export and import of passkeys. {@link dev.porchlight.server.operator.transfer.Export} writes JSON lines; an {@link
 * dev.porchlight.server.operator.transfer.ImportSource} reads an export, or the data of another library, into a {@link
 * dev.porchlight.server.operator.transfer.ImportSource.Sink}. {@code JsonLines} reads lines; {@code LineMembers} validates each value;
 * {@code PasskeyLine} is the export format. docs/guides/moving-passkeys.md describes the formats.
 */
package dev.porchlight.server.operator.transfer;
