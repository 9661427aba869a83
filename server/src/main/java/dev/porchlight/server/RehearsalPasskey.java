// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.base.Bytes;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.HexFormat;

/** A minimal passkey and the browser that uses it. Not thread-safe. */
final class RehearsalPasskey {
    private static final int PRESENT_AND_VERIFIED = 0x05;
    private static final int ATTESTED = 0x40;
    /** CBOR: a map with fmt "none", an empty attStmt, and authData, whose 164 bytes follow. */
    private static final String ATTESTATION_OBJECT = "a363666d74646e6f6e656761747453746d74a068617574684461746158a4";

    private static final String AAGUID = "00".repeat(16);
    private static final String ID_LENGTH = "0020";
    /** CBOR: an ES256 key up to x, and the bytes between x and y. */
    private static final String[] COSE_KEY = {"a5010203262001215820", "225820"};

    private static final int COORDINATE_LENGTH = 32;

    private final String origin;
    private final Bytes rpIdHash;
    private final Bytes id;
    private final KeyPair keys;
    private int count;

    RehearsalPasskey(String rpId, String origin) {
        this.origin = origin;
        rpIdHash = Bytes.ofUtf8(rpId).sha256();
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        id = Bytes.copyOf(random);
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
        Bytes encoded = Bytes.copyOf(keys.getPublic().getEncoded()); // ends with x and y
        int y = encoded.size() - COORDINATE_LENGTH;
        Bytes object = Bytes.ofHex(ATTESTATION_OBJECT
                + authenticatorData(PRESENT_AND_VERIFIED | ATTESTED).hex()
                + AAGUID
                + ID_LENGTH
                + id.hex()
                + COSE_KEY[0]
                + encoded.slice(y - COORDINATE_LENGTH, y).hex()
                + COSE_KEY[1]
                + encoded.slice(y, encoded.size()).hex());
        return response(
                clientData("create", challenge),
                ",\"attestationObject\":\"" + object.base64Url() + "\",\"transports\":[\"usb\"]");
    }

    /** The response to request options with this challenge. */
    String get(String challenge) {
        Bytes data = authenticatorData(PRESENT_AND_VERIFIED);
        Bytes clientData = clientData("get", challenge);
        try {
            Signature signing = Signature.getInstance("SHA256withECDSA");
            signing.initSign(keys.getPrivate());
            signing.update(data.concat(clientData.sha256()).toByteArray());
            Bytes signature = Bytes.copyOf(signing.sign());
            return response(
                    clientData,
                    ",\"authenticatorData\":\"" + data.base64Url() + "\",\"signature\":\"" + signature.base64Url()
                            + "\"");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private String response(Bytes clientData, String more) {
        return "{\"id\":\"" + id.base64Url() + "\",\"rawId\":\"" + id.base64Url() + "\",\"type\":\"public-key\","
                + "\"authenticatorAttachment\":\"cross-platform\",\"clientExtensionResults\":{},"
                + "\"response\":{\"clientDataJSON\":\"" + clientData.base64Url() + "\"" + more + "}}";
    }

    private Bytes clientData(String type, String challenge) {
        return Bytes.ofUtf8("{\"type\":\"webauthn." + type + "\",\"challenge\":\"" + challenge + "\",\"origin\":\""
                + origin + "\",\"crossOrigin\":false}");
    }

    private Bytes authenticatorData(int flags) {
        HexFormat hex = HexFormat.of();
        return Bytes.ofHex(rpIdHash.hex() + hex.toHexDigits((byte) flags) + hex.toHexDigits(++count));
    }
}
