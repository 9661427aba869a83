// SPDX-License-Identifier: Apache-2.0
/**
 * Who checks signatures: the one place that knows of a security provider outside the JDK. Everything else is handed the
 * {@link dev.porchlight.server.crypto.SignatureProvider} that was chosen at start.
 */
package dev.porchlight.server.crypto;
