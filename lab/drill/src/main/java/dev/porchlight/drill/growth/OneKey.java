// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.growth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.passkey.cose.Es256Key;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;

/**
 * One key that all passkeys of a population share, since making millions takes hours and changes nothing: a login finds its
 * row by the passkey's id. For one thread.
 */
final class OneKey {
    private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();
    private static final byte PRESENT_AND_VERIFIED = 0x05;

    private final KeyPair keys;
    private final String jwk;
    private final String origin;
    private final byte[] rpIdHash;

    OneKey(String rpId, String origin) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        this.keys = generator.generateKeyPair();
        this.jwk = Es256Key.of(keys.getPublic()).orElseThrow().toJwk();
        this.origin = origin;
        this.rpIdHash = sha256(rpId.getBytes(UTF_8));
    }

    String jwk() {
        return jwk;
    }

    /** What a browser would answer to this challenge with the passkey of this id, whose count stays zero. */
    String answer(String challenge, String credentialId) throws GeneralSecurityException {
        byte[] clientData = ("{\"type\":\"webauthn.get\",\"challenge\":\"" + challenge + "\",\"origin\":\"" + origin
                        + "\",\"crossOrigin\":false}")
                .getBytes(UTF_8);
        byte[] data = ByteBuffer.allocate(37)
                .put(rpIdHash)
                .put(PRESENT_AND_VERIFIED)
                .putInt(0)
                .array();
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(data);
        signature.update(sha256(clientData));
        return "{\"id\":\"" + credentialId + "\",\"rawId\":\"" + credentialId + "\",\"response\":{\"clientDataJSON\":\""
                + BASE64URL.encodeToString(clientData) + "\",\"authenticatorData\":\"" + BASE64URL.encodeToString(data)
                + "\",\"signature\":\"" + BASE64URL.encodeToString(signature.sign())
                + "\"},\"clientExtensionResults\":{},\"type\":\"public-key\"}";
    }

    static byte[] sha256(byte[] bytes) throws GeneralSecurityException {
        return MessageDigest.getInstance("SHA-256").digest(bytes);
    }
}
