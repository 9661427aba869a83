// SPDX-License-Identifier: Apache-2.0
/**
 * Selection of the {@link dev.porchlight.server.crypto.SignatureProvider}, and keyed hashes. This is the only package that uses
 * a security provider outside the JDK.
 */
package dev.porchlight.server.crypto;
