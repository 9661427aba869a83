// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Creates ES256 signatures at a hundredth of the JDK's cost: the part that does not depend on the message
 * (a nonce and its point) is precomputed and reused. Such signatures verify like any other, but two of them reveal the private
 * key: for load tests only. Thread-safe.
 */
final class PreparedSigner {
    private static final BigInteger ORDER =
            new BigInteger("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", 16);
    private static final List<Nonce> NONCES =
            IntStream.range(0, 64).mapToObj(i -> Nonce.make()).toList();

    private final BigInteger key;
    private final AtomicInteger turn = new AtomicInteger();

    PreparedSigner(ECPrivateKey key) {
        this.key = key.getS();
    }

    /** Signs the message. The signature is in DER. */
    byte[] sign(byte[] message) {
        BigInteger digest = new BigInteger(1, sha256(message));
        Nonce nonce = NONCES.get(Math.floorMod(turn.getAndIncrement(), NONCES.size()));
        BigInteger s = nonce.inverse.multiply(digest.add(nonce.r.multiply(key))).mod(ORDER);
        return der(nonce.r.toByteArray(), s.toByteArray());
    }

    static byte[] sha256(byte[] octets) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(octets);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] der(byte[] r, byte[] s) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(72);
        out.write(0x30);
        out.write(r.length + s.length + 4);
        for (byte[] number : List.of(r, s)) {
            out.write(0x02);
            out.write(number.length);
            out.writeBytes(number);
        }
        return out.toByteArray();
    }

    /** The inverse of a nonce and the x coordinate of its point, taken from a key pair. */
    private record Nonce(BigInteger inverse, BigInteger r) {
        static Nonce make() {
            try {
                KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
                generator.initialize(new ECGenParameterSpec("secp256r1"));
                KeyPair pair = generator.generateKeyPair();
                return new Nonce(
                        ((ECPrivateKey) pair.getPrivate()).getS().modInverse(ORDER),
                        ((ECPublicKey) pair.getPublic()).getW().getAffineX().mod(ORDER));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
