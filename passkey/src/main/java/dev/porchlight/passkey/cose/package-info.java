// SPDX-License-Identifier: Apache-2.0
/**
 * Keys and signatures of credentials.
 *
 * <ul>
 *   <li>{@code CoseKey}: a received credential public key, parsed as far as its algorithm;
 *   <li>{@code Es256Key}: a point on P-256, converted from and to COSE, JWK and JCA;
 *   <li>{@code EcdsaSignature}: a strictly parsed DER signature;
 *   <li>{@code SignatureVerifier}: verifies signatures with a {@link java.security.Provider}.
 * </ul>
 */
package dev.porchlight.passkey.cose;
