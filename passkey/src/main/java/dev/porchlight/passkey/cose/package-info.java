// SPDX-License-Identifier: Apache-2.0
/**
 * Keys and signatures of credentials.
 *
 * <ul>
 *   <li>{@code CoseKey}: a received credential public key, parsed as far as its algorithm;
 *   <li>{@code CredentialPublicKey}: {@code Es256Key}, a point on P-256, or {@code Rs256Key}, an RSA modulus; converted from
 *       and to COSE, JWK and JCA;
 *   <li>{@code EcdsaSignature}: a strictly parsed DER signature of ES256;
 *   <li>{@code Pkcs1Signature}: the verification of RS256;
 *   <li>{@code SignatureVerifier}: verifies signatures with a {@link java.security.Provider}.
 * </ul>
 */
package dev.porchlight.passkey.cose;
