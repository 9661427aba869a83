// SPDX-License-Identifier: Apache-2.0
/**
 * Keys and signatures of credentials.
 *
 * <ul>
 *   <li>{@code CoseKey}: a received credential public key, parsed as far as its algorithm;
 *   <li>{@code KeyType}: the table of algorithms, with the members of their keys in COSE and as JWK;
 *   <li>{@code CredentialPublicKey}: {@code EcKey}, a point on an {@code EcCurve}, {@code Ed25519Key}, {@code RsaKey} or
 *       {@code MlDsaKey}; each checks that its values are in their only valid encoding, and verifies signatures;
 *   <li>{@code EcdsaSignature}: a strictly parsed DER signature of ECDSA;
 *   <li>{@code RsaSignature}: the verification of RS256 and PS256;
 *   <li>{@code SignatureVerifier}: verifies signatures with a {@link java.security.Provider}.
 * </ul>
 */
package dev.porchlight.passkey.cose;
