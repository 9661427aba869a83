// SPDX-License-Identifier: Apache-2.0
/**
 * Keys and signatures of ES256, the one algorithm of credentials here.
 *
 * <ul>
 *   <li>{@code CoseKey}: a credential public key as received, far enough read to name its algorithm;
 *   <li>{@code Es256Key}: a point proven to be on P-256, from and to COSE, JWK and JCA;
 *   <li>{@code EcdsaSignature}: the strict reading of a DER signature;
 *   <li>{@code SignatureCheck}: the one place that asks a {@link java.security.Provider}.
 * </ul>
 */
package dev.porchlight.passkey.cose;
