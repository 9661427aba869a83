// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.cose.EcCurve;
import dev.porchlight.passkey.cose.EcKey;
import dev.porchlight.passkey.store.CredentialRecord;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;

/** A key pair that signs arbitrary flags and counts. */
final class HandmadePasskey {
    static final int UP = 0x01;
    static final int UV = 0x04;
    static final int BE = 0x08;
    static final int BS = 0x10;

    private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();

    final String id;
    private final KeyPair keys;

    HandmadePasskey(String name) {
        this.id = BASE64URL.encodeToString(name.getBytes(UTF_8));
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
        return new EcKey(
                        EcCurve.P256,
                        coordinate(point.getAffineX().toByteArray()),
                        coordinate(point.getAffineY().toByteArray()))
                .toJwk();
    }

    CredentialRecord recordOf(String userId, long signCount) {
        return CredentialRecord.of(id, userId, jwk(), signCount, Stage.ORIGIN);
    }

    /** Returns the response to options for {@code example.com}, without a user handle. */
    String respond(RequestOptions options, int flags, long signCount) {
        return respond(options.challenge(), flags, signCount, null);
    }

    String respond(String challenge, int flags, long signCount, String userHandle) {
        String clientData = "{\"type\":\"webauthn.get\",\"challenge\":\"" + challenge + "\",\"origin\":\""
                + Stage.ORIGIN + "\",\"crossOrigin\":false}";
        byte[] data = ByteBuffer.allocate(37)
                .put(Bytes.ofUtf8("example.com").sha256().toByteArray())
                .put((byte) flags)
                .putInt((int) signCount)
                .array();
        String handle = userHandle == null ? "" : ",\"userHandle\":\"" + userHandle + "\"";
        return "{\"id\":\"" + id + "\",\"rawId\":\"" + id + "\",\"type\":\"public-key\",\"clientExtensionResults\":{},"
                + "\"response\":{\"clientDataJSON\":\"" + BASE64URL.encodeToString(clientData.getBytes(UTF_8))
                + "\",\"authenticatorData\":\"" + BASE64URL.encodeToString(data) + "\",\"signature\":\""
                + BASE64URL.encodeToString(sign(data, clientData)) + "\"" + handle + "}}";
    }

    private byte[] sign(byte[] data, String clientData) {
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(data);
            signature.update(Bytes.ofUtf8(clientData).sha256().toByteArray());
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static Bytes coordinate(byte[] number) {
        byte[] fixed = new byte[32];
        int length = Math.min(32, number.length);
        System.arraycopy(number, number.length - length, fixed, 32 - length, length);
        return Bytes.copyOf(fixed);
    }
}
