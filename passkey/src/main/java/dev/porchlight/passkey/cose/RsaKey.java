// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import static dev.porchlight.passkey.CredentialAlgorithm.PS256;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.data.CborMap;
import java.math.BigInteger;
import java.security.Provider;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A public key for RS256 or PS256: an odd modulus of 2048 to 4096 bits. The exponent is always 65537. A key verifies only one
 * of the two, as COSE requires; the JWK of a key for PS256 says so. Immutable.
 *
 * @param n the modulus, big-endian, without leading zeros
 */
public record RsaKey(CredentialAlgorithm algorithm, Bytes n) implements CredentialPublicKey {
    static final String KTY = "RSA";
    static final int MIN_BITS = 2048;
    static final int MAX_BITS = 4096;
    static final int MIN_BYTES = MIN_BITS / 8;
    static final int MAX_BYTES = MAX_BITS / 8;

    /** The public exponent 65537, the only one that is accepted. */
    public static final BigInteger EXPONENT = BigInteger.valueOf(65_537);

    private static final Bytes E = Bytes.ofHex("010001");
    private static final String PART = CoseKey.PART;

    /** Creates a key from a modulus in its shortest encoding. */
    public RsaKey {
        String fault = fault(n);
        if (fault != null) {
            throw new IllegalArgumentException(fault);
        }
    }

    /**
     * Parses a COSE key with exactly kty, alg, n and e (RFC 8230). WebAuthn allows no other member, so the parts of a private
     * key are refused too.
     */
    static RsaKey fromCose(CredentialAlgorithm algorithm, CborMap key) throws MalformedException {
        CoseKey.expect(key, 1, 3, "kty", "not RSA (3)");
        CoseKey.expectAlgorithm(key, algorithm);
        Bytes n = CborMap.bytes(key.get(-1), PART + ".n");
        Bytes e = CborMap.bytes(key.get(-2), PART + ".e");
        if (key.size() != 4) {
            throw new MalformedException(PART, "members other than kty, alg, n and e");
        }
        return of(algorithm, n, e, PART);
    }

    /** Reads a JWK. Without {@code alg}, the key is for RS256. */
    static RsaKey read(JsonObject jwk) throws MalformedException {
        CredentialAlgorithm algorithm =
                PS256.label().equals(jwk.optionalText("alg")) ? PS256 : CredentialAlgorithm.RS256;
        return of(algorithm, jwk.bytes("n", MAX_BYTES + 1), jwk.bytes("e", MAX_BYTES), "jwk");
    }

    /** Converts a JCA key, such as that of a certificate, to a key for RS256; empty if a credential cannot have it. */
    public static Optional<RsaKey> of(PublicKey key) {
        if (!(key instanceof RSAPublicKey rsa) || !rsa.getPublicExponent().equals(EXPONENT)) {
            return Optional.empty();
        }
        Bytes n = unsigned(rsa.getModulus());
        return fault(n) == null ? Optional.of(new RsaKey(CredentialAlgorithm.RS256, n)) : Optional.empty();
    }

    @Override
    public void writeTo(JsonWriter jwk) {
        jwk.text("kty", KTY);
        if (algorithm == PS256) {
            jwk.text("alg", algorithm.label());
        }
        jwk.bytes("n", n).bytes("e", E);
    }

    @Override
    public List<String> members() {
        return algorithm == PS256 ? List.of("kty", "alg", "n", "e") : List.of("kty", "n", "e");
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

    private static RsaKey of(CredentialAlgorithm algorithm, Bytes n, Bytes e, String part) throws MalformedException {
        if (!e.equals(E)) {
            throw new MalformedException(part + ".e", "not 65537 in three bytes");
        }
        try {
            return new RsaKey(algorithm, n);
        } catch (IllegalArgumentException invalid) {
            throw new MalformedException(part + ".n", String.valueOf(invalid.getMessage()));
        }
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

    private static Bytes unsigned(BigInteger number) {
        byte[] bytes = number.toByteArray();
        return Bytes.copyOf(bytes).slice(bytes.length > 1 && bytes[0] == 0 ? 1 : 0, bytes.length);
    }
}
