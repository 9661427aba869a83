// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import static dev.porchlight.passkey.CredentialAlgorithm.PS256;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.cose.KeyType.Member;
import java.math.BigInteger;
import java.security.Provider;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A public key for RS256 or PS256: an odd modulus of 2048 to 4096 bits. The exponent is always 65537. A key verifies only one
 * of the two, as COSE requires; the JWK of a key for PS256 says so. Immutable.
 *
 * @param n the modulus, big-endian, without leading zeros
 */
public record RsaKey(CredentialAlgorithm algorithm, Bytes n) implements CredentialPublicKey {
    static final int MIN_BITS = 2048;
    static final int MAX_BITS = 4096;
    static final int MIN_BYTES = MIN_BITS / 8;
    static final int MAX_BYTES = MAX_BITS / 8;

    /** The public exponent 65537, the only one that is accepted. */
    public static final BigInteger EXPONENT = BigInteger.valueOf(65_537);

    private static final Bytes E = Bytes.ofHex("010001");

    /** Creates a key from a modulus in its shortest encoding. */
    public RsaKey {
        String fault = fault(n);
        if (fault != null) {
            throw new IllegalArgumentException(fault);
        }
    }

    static KeyType type(CredentialAlgorithm algorithm) {
        return new KeyType(
                algorithm,
                List.of(
                        Member.kty(3, "RSA"),
                        Member.alg(algorithm, algorithm == PS256),
                        Member.bytes("n", -1, MAX_BYTES + 1),
                        Member.bytes("e", -2, MAX_BYTES)),
                values -> of(algorithm, values.get(0), values.get(1)),
                List.of(Bytes.ofHex("ff".repeat(MIN_BYTES)), E)); // any odd number does
    }

    private static RsaKey of(CredentialAlgorithm algorithm, Bytes n, Bytes e) {
        if (!e.equals(E)) {
            throw new IllegalArgumentException("an exponent that is not 65537 in three bytes");
        }
        return new RsaKey(algorithm, n);
    }

    @Override
    public List<Bytes> values() {
        return List.of(n, E);
    }

    @Override
    public boolean matches(PublicKey other) {
        return other instanceof RSAPublicKey rsa
                && rsa.getPublicExponent().equals(EXPONENT)
                && rsa.getModulus().equals(modulus());
    }

    @Override
    public boolean verify(@Nullable Provider provider, Bytes signature, Bytes... signed) {
        return RsaSignature.verify(
                this, signature, SignatureVerifier.join(signed).sha256());
    }

    /** The modulus as a number. */
    public BigInteger modulus() {
        return new BigInteger(1, n.toByteArray());
    }

    private static @Nullable String fault(Bytes n) {
        if (n.isEmpty() || n.at(0) == 0) {
            return "a modulus that is empty or has leading zeros";
        }
        int bits = 8 * n.size() - Integer.numberOfLeadingZeros(n.at(0)) + 24;
        if (bits < MIN_BITS || bits > MAX_BITS) {
            return "a modulus of " + bits + " bits instead of " + MIN_BITS + " to " + MAX_BITS;
        }
        return n.at(n.size() - 1) % 2 == 0 ? "an even modulus" : null;
    }
}
