// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Keys that replace the key of a credential that does not exist, one for each algorithm. A signature that they verify is
 * refused anyway.
 *
 * @param start the beginning of every JWK for the algorithm, as {@link CredentialPublicKey#toJwk} writes it
 * @param jwk the decoy
 */
public record DecoyKey(String start, String jwk) {
    /** The length of the beginning of a JWK that distinguishes all algorithms. */
    public static final int START_CHARS = 32;

    private static final Map<CredentialAlgorithm, DecoyKey> KEYS = new EnumMap<>(Map.of(
            CredentialAlgorithm.ES256,
            // The points are the generators of their curves.
            ec(EcCurve.P256),
            CredentialAlgorithm.ES384,
            ec(EcCurve.P384),
            CredentialAlgorithm.ES512,
            ec(EcCurve.P521),
            CredentialAlgorithm.EDDSA,
            of("{\"kty\":\"OKP\"", ",\"crv\":\"Ed25519\",\"x\":\"WGZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmY\"}"),
            // Any odd number of 2048 bits does.
            CredentialAlgorithm.RS256,
            of("{\"kty\":\"RSA\",\"n\"", ":\"" + "_".repeat(340) + "_w\",\"e\":\"AQAB\"}"),
            CredentialAlgorithm.PS256,
            of("{\"kty\":\"RSA\",\"alg\":\"PS256\"", ",\"n\":\"" + "_".repeat(340) + "_w\",\"e\":\"AQAB\"}"),
            // Any bytes do.
            CredentialAlgorithm.ML_DSA_44,
            mlDsa(CredentialAlgorithm.ML_DSA_44, 1_312),
            CredentialAlgorithm.ML_DSA_65,
            mlDsa(CredentialAlgorithm.ML_DSA_65, 1_952),
            CredentialAlgorithm.ML_DSA_87,
            mlDsa(CredentialAlgorithm.ML_DSA_87, 2_592)));

    /** Returns the decoy of an algorithm. Parsed each time, like a stored key, so that the time is the same. */
    public static CredentialPublicKey of(CredentialAlgorithm algorithm) {
        try {
            return CredentialPublicKey.fromJwk(Objects.requireNonNull(KEYS.get(algorithm)).jwk);
        } catch (MalformedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the algorithm of a stored JWK by its beginning. A JWK with another order of members counts as ES256. */
    public static CredentialAlgorithm algorithmOf(String jwkStart) {
        for (var entry : KEYS.entrySet()) {
            if (jwkStart.startsWith(entry.getValue().start)) {
                return entry.getKey();
            }
        }
        return CredentialAlgorithm.ES256;
    }

    private static DecoyKey of(String start, String rest) {
        return new DecoyKey(start, start + rest);
    }

    private static DecoyKey ec(EcCurve curve) {
        var generator = curve.parameters.getGenerator();
        var key = new EcKey(curve, curve.coordinate(generator.getAffineX()), curve.coordinate(generator.getAffineY()));
        return new DecoyKey("{\"kty\":\"EC\",\"crv\":\"" + curve.jwk, key.toJwk());
    }

    private static DecoyKey mlDsa(CredentialAlgorithm algorithm, int bytes) {
        var key = new MlDsaKey(algorithm, Bytes.copyOf(new byte[bytes]));
        return new DecoyKey("{\"kty\":\"AKP\",\"alg\":\"" + algorithm.label(), key.toJwk());
    }
}
