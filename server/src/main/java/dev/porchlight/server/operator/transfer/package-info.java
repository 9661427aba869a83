// SPDX-License-Identifier: Apache-2.0
/**
 * Export and import of passkeys. {@link dev.porchlight.server.operator.transfer.Export} writes JSON lines; an {@link
 * dev.porchlight.server.operator.transfer.ImportSource} reads an export, or the data of another library, into an {@link
 * dev.porchlight.server.operator.transfer.ImportSink}. {@code JsonLines} reads lines; {@code Conversions} converts those of other
 * products; {@code LineMembers} validates each value. docs/guides/moving-passkeys.md describes the formats.
 */
package dev.porchlight.server.operator.transfer;
