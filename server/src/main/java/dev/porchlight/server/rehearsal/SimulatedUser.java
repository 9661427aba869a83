// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.rehearsal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.PasskeyConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A user with a minimal passkey and browser. Not thread-safe. */
public final class SimulatedUser {
    private static final int PRESENT_AND_VERIFIED = 0x05;
    private static final int ATTESTED = 0x40;
    /** CBOR: a map with fmt "none", an empty attStmt, and authData, whose 164 bytes follow. */
    private static final String ATTESTATION_OBJECT = "a363666d74646e6f6e656761747453746d74a068617574684461746158a4";

    private static final String AAGUID = "00".repeat(16);
    private static final String ID_LENGTH = "0020";
    /** CBOR: an ES256 key up to x, and the bytes between x and y. */
    private static final String[] COSE_KEY = {"a5010203262001215820", "225820"};

    private static final int COORDINATE_LENGTH = 32;

    private final String userId;
    private final String url;
    private final PasskeyConfig party;
    private final Bytes id;
    private final KeyPair keys;
    private int count;

    /** A response: status line and body. */
    private record Response(String status, String body) {
        /** Returns the text of the first JSON member with this name, at any depth. */
        String field(String name) {
            Matcher member = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(body);
            if (!member.find()) {
                throw new IllegalStateException(status + ": no member " + name);
            }
            return member.group(1);
        }
    }

    /** Creates a user of the service at this URL. */
    public SimulatedUser(String userId, String url, PasskeyConfig party) {
        this.userId = userId;
        this.url = url;
        this.party = party;
        id = Bytes.random(new SecureRandom(), 32);
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            keys = generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends the first requests of a new deployment, and returns the status lines. */
    public static List<String> firstRequests(String url) throws IOException {
        List<String> statuses = new ArrayList<>();
        for (String path : List.of("/health/ready", "/metrics", "/", "/auth/passkey/login/options")) {
            statuses.add(send(url + path, "", "").status());
        }
        statuses.add(send(url + "/auth/passkey/login/finish", "", "{}").status());
        return statuses;
    }

    /** Signs up, and returns the status line of the registration. */
    public String register() throws IOException {
        String token = send(url + "/auth/signup", "", "{\"userId\":\"" + userId + "\"}")
                .field("token");
        String route = url + "/auth/passkey/register/";
        String challenge = send(route + "options", token, "").field("challenge");
        return send(route + "finish", token, create(challenge)).status();
    }

    /** Signs in, and returns the status line of the response. */
    public String login() throws IOException {
        String route = url + "/auth/passkey/login/";
        String challenge = send(route + "options?userId=" + userId, "", "").field("challenge");
        return send(route + "finish?userId=" + userId, "", get(challenge)).status();
    }

    /** Sends a GET, or a POST with a body. Does not use {@code java.net.http}, which would be archived with the service. */
    private static Response send(String uri, String token, String body) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(uri).toURL().openConnection();
        connection.setRequestProperty("Content-Type", "application/json");
        if (!token.isEmpty()) {
            connection.setRequestProperty("Authorization", "Bearer " + token);
        }
        if (!body.isEmpty()) {
            connection.setDoOutput(true);
            connection.getOutputStream().write(body.getBytes(UTF_8));
        }
        boolean refused = connection.getResponseCode() >= 400;
        try (InputStream received = refused ? connection.getErrorStream() : connection.getInputStream()) {
            return new Response(connection.getHeaderField(0), new String(received.readAllBytes(), UTF_8));
        }
    }

    /** The response to creation options with this challenge. */
    private String create(String challenge) {
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
    private String get(String challenge) {
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
                + party.origin() + "\",\"crossOrigin\":false}");
    }

    private Bytes authenticatorData(int flags) {
        HexFormat hex = HexFormat.of();
        return Bytes.ofHex(
                Bytes.ofUtf8(party.rpId()).sha256().hex() + hex.toHexDigits((byte) flags) + hex.toHexDigits(++count));
    }
}
