// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.rig.http.Answer;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A user with a passkey. It was registered by the testkit's software browser; the assertions are put together here, byte for
 * byte as that browser does, because they must cost less than the service's work on them. Thread-safe, but the passkey
 * counts its signatures: logins of one person that overtake each other are refused.
 */
public final class Person {
    private static final String SIGNUP = "/auth/signup";
    private static final String REGISTER = "/auth/passkey/register/";
    private static final String LOGIN = "/auth/passkey/login/";
    private static final byte PRESENT_AND_VERIFIED = 0x05;
    private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();

    private final String userId;
    private final String credentialId;
    private final String origin;
    private final String userHandle;
    private final byte[] rpIdHash;
    private final PreparedSigner signer;
    private final AtomicInteger count;

    private Person(String userId, String origin, JsonObject passkey) {
        this.userId = userId;
        this.origin = origin;
        credentialId = passkey.string("id");
        userHandle = passkey.string("userHandle");
        rpIdHash = PreparedSigner.sha256(passkey.string("rpId").getBytes(UTF_8));
        count = new AtomicInteger(passkey.integer("signCount"));
        signer = new PreparedSigner(privateKey(passkey.octets("privateKey")));
    }

    /**
     * Signs up and registers a passkey, as the pages do.
     *
     * @param origin of the pages, which is not the connection's address where a proxy stands between
     * @throws RefusedException if a step was refused
     */
    public static Person register(Connection connection, URI origin, String userId) throws IOException {
        String body = new JsonObject().put("userId", userId).toString();
        return enrol(
                connection,
                origin,
                userId,
                expect(SIGNUP, connection.post(SIGNUP, body)).field("token"));
    }

    /** Registers a passkey with an enrolment token, or with the token of somebody who is signed in. */
    public static Person enrol(Connection connection, URI origin, String userId, String token) throws IOException {
        SoftBrowser browser = new SoftBrowser(origin.toString(), SoftAuthenticator.securityKey());
        String authorization = "Authorization: Bearer " + token;
        Answer options = expect(REGISTER + "options", connection.get(REGISTER + "options", authorization));
        String made = browser.create(options.body());
        expect(REGISTER + "finish", connection.post(REGISTER + "finish", made, authorization));
        return of(userId, origin, browser.authenticator());
    }

    /** Somebody with the only passkey of an authenticator, registered by whatever routes. */
    public static Person of(String userId, URI origin, SoftAuthenticator authenticator) {
        JsonObject kept = JsonObject.parse(authenticator.export());
        return new Person(userId, origin.toString(), kept.objects("passkeys").get(0));
    }

    public String userId() {
        return userId;
    }

    public String credentialId() {
        return credentialId;
    }

    /** Asks for the options of a login. */
    public Answer options(Connection connection) throws IOException {
        return connection.get(LOGIN + "options?userId=" + userId);
    }

    /** What the browser would send back for these options. */
    public String respond(Answer options) {
        return respond(options.field("challenge"), origin, true);
    }

    /** The same with a signature that is another message's. */
    public String respondWrongly(Answer options) {
        return respond(options.field("challenge"), origin, false);
    }

    /** The same from a page of another origin, with a valid signature. */
    public String respondFrom(String otherOrigin, Answer options) {
        return respond(options.field("challenge"), otherOrigin, true);
    }

    private String respond(String challenge, String origin, boolean truthful) {
        byte[] clientData = ("{\"type\":\"webauthn.get\",\"challenge\":\"" + challenge + "\",\"origin\":\"" + origin
                        + "\",\"crossOrigin\":false}")
                .getBytes(UTF_8);
        byte[] authenticatorData = ByteBuffer.allocate(37)
                .put(rpIdHash)
                .put(PRESENT_AND_VERIFIED)
                .putInt(count.incrementAndGet())
                .array();
        byte[] signed = ByteBuffer.allocate(69)
                .put(authenticatorData)
                .put(PreparedSigner.sha256(clientData))
                .array();
        if (!truthful) {
            signed[68] ^= 1;
        }
        return "{\"id\":\"" + credentialId + "\",\"rawId\":\"" + credentialId + "\",\"response\":{\"clientDataJSON\":\""
                + BASE64URL.encodeToString(clientData) + "\",\"authenticatorData\":\""
                + BASE64URL.encodeToString(authenticatorData) + "\",\"signature\":\""
                + BASE64URL.encodeToString(signer.sign(signed)) + "\",\"userHandle\":\"" + userHandle
                + "\"},\"authenticatorAttachment\":\"cross-platform\",\"clientExtensionResults\":{},"
                + "\"type\":\"public-key\"}";
    }

    /** Sends what the browser would send back. */
    public Answer finish(Connection connection, String response) throws IOException {
        return connection.post(LOGIN + "finish?userId=" + userId, response);
    }

    /** A whole login: the answer to its end, or to the options if they were refused. */
    public Answer login(Connection connection) throws IOException {
        Answer options = options(connection);
        return options.ok() ? finish(connection, respond(options)) : options;
    }

    private static Answer expect(String path, Answer answer) throws RefusedException {
        if (!answer.ok()) {
            throw new RefusedException(path, answer);
        }
        return answer;
    }

    private static ECPrivateKey privateKey(byte[] encoded) {
        try {
            return (ECPrivateKey) KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
