// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.cose.EcCurve;
import dev.porchlight.passkey.cose.EcKey;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;

/** A key and the bytes of an authenticator, implemented independently of the code under test. */
final class SoftKey {
    private final KeyPair keys;

    SoftKey() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            keys = generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    String jwk() {
        var point = ((ECPublicKey) keys.getPublic()).getW();
        return new EcKey(EcCurve.P256, Bytes.ofHex(hex(point.getAffineX())), Bytes.ofHex(hex(point.getAffineY())))
                .toJwk();
    }

    /** A COSE key with the given alg. */
    Bytes cose(String alg) {
        var point = ((ECPublicKey) keys.getPublic()).getW();
        return Bytes.ofHex("a50102" + "03" + alg + "2001" + "215820" + hex(point.getAffineX()) + "225820"
                + hex(point.getAffineY()));
    }

    Bytes sign(Bytes data, Bytes clientDataHash) {
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(data.toByteArray());
            signature.update(clientDataHash.toByteArray());
            return Bytes.copyOf(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** Authenticator data without a credential. */
    static Bytes data(String rpId, int flags, long count) {
        return Bytes.copyOf(ByteBuffer.allocate(37)
                .put(Bytes.ofUtf8(rpId).sha256().toByteArray())
                .put((byte) flags)
                .putInt((int) count)
                .array());
    }

    private static String hex(BigInteger number) {
        String digits = number.toString(16);
        return "0".repeat(64 - digits.length()) + digits;
    }
}
