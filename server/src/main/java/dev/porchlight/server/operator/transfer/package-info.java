// SPDX-License-Identifier: Apache-2.0
/**
 * Passkeys on the move. {@link dev.porchlight.server.operator.transfer.Export} writes all of them as JSON lines; an {@link
 * dev.porchlight.server.operator.transfer.Arrivals} reads them from somewhere, ours or another library's, into a {@link
 * dev.porchlight.server.operator.transfer.Sink}. {@code Lines} reads strictly and knows where it is; {@code LineMembers} checks each value;
 * {@code PasskeyLine} is our own format. docs/guides/moving-passkeys.md describes the formats.
 */
package dev.porchlight.server.operator.transfer;
