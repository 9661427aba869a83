// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.HexFormat;

/** A passkey and the browser that uses it, with the least that the service accepts. Not thread-safe. */
final class RehearsalPasskey {
    private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();
    private static final HexFormat HEX = HexFormat.of();
    private static final int PRESENT_AND_VERIFIED = 0x05;
    private static final int ATTESTED = 0x40;
    /** CBOR: a map of fmt "none", an empty attStmt, and authData, whose 164 bytes follow. */
    private static final String ATTESTATION_OBJECT = "a363666d74646e6f6e656761747453746d74a068617574684461746158a4";
    /** CBOR: an ES256 key up to x, and what is between x and y. */
    private static final String[] COSE_KEY = {"a5010203262001215820", "225820"};

    private static final int AAGUID_LENGTH = 16;
    private static final int ID_LENGTH = 32;
    private static final int COORDINATE_LENGTH = 32;
    private static final int DATA_LENGTH = 37;
    private static final int KEY_LENGTH = 77;

    private final String origin;
    private final byte[] rpIdHash;
    private final byte[] id = new byte[ID_LENGTH];
    private final KeyPair keys;
    private int count;

    RehearsalPasskey(String rpId, String origin) {
        this.origin = origin;
        rpIdHash = sha256(rpId.getBytes(UTF_8));
        new SecureRandom().nextBytes(id);
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            keys = generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The response to creation options with this challenge. */
    String create(String challenge) {
        byte[] data = ByteBuffer.allocate(DATA_LENGTH + AAGUID_LENGTH + 2 + ID_LENGTH + KEY_LENGTH)
                .put(authenticatorData(PRESENT_AND_VERIFIED | ATTESTED))
                .put(new byte[AAGUID_LENGTH])
                .putShort((short) ID_LENGTH)
                .put(id)
                .put(coseKey())
                .array();
        byte[] prefix = HEX.parseHex(ATTESTATION_OBJECT);
        byte[] object = ByteBuffer.allocate(prefix.length + data.length)
                .put(prefix)
                .put(data)
                .array();
        return response(
                "create", challenge, ",\"attestationObject\":\"" + text(object) + "\",\"transports\":[\"usb\"]");
    }

    /** The response to request options with this challenge. */
    String get(String challenge) {
        byte[] data = authenticatorData(PRESENT_AND_VERIFIED);
        byte[] signature;
        try {
            Signature signing = Signature.getInstance("SHA256withECDSA");
            signing.initSign(keys.getPrivate());
            signing.update(data);
            signing.update(sha256(clientData("get", challenge)));
            signature = signing.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        return response(
                "get",
                challenge,
                ",\"authenticatorData\":\"" + text(data) + "\",\"signature\":\"" + text(signature) + "\"");
    }

    private String response(String type, String challenge, String more) {
        return "{\"id\":\"" + text(id) + "\",\"rawId\":\"" + text(id) + "\",\"type\":\"public-key\","
                + "\"authenticatorAttachment\":\"cross-platform\",\"clientExtensionResults\":{},"
                + "\"response\":{\"clientDataJSON\":\"" + text(clientData(type, challenge)) + "\"" + more + "}}";
    }

    private byte[] clientData(String type, String challenge) {
        return ("{\"type\":\"webauthn." + type + "\",\"challenge\":\"" + challenge + "\",\"origin\":\"" + origin
                        + "\",\"crossOrigin\":false}")
                .getBytes(UTF_8);
    }

    private byte[] authenticatorData(int flags) {
        count++;
        return ByteBuffer.allocate(DATA_LENGTH)
                .put(rpIdHash)
                .put((byte) flags)
                .putInt(count)
                .array();
    }

    private byte[] coseKey() {
        byte[] encoded = keys.getPublic().getEncoded(); // ends with x and y
        int y = encoded.length - COORDINATE_LENGTH;
        return ByteBuffer.allocate(KEY_LENGTH)
                .put(HEX.parseHex(COSE_KEY[0]))
                .put(encoded, y - COORDINATE_LENGTH, COORDINATE_LENGTH)
                .put(HEX.parseHex(COSE_KEY[1]))
                .put(encoded, y, COORDINATE_LENGTH)
                .array();
    }

    private static byte[] sha256(byte[] input) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(input);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(byte[] octets) {
        return BASE64URL.encodeToString(octets);
    }
}
