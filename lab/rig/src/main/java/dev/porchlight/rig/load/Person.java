// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.http.Response;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A user with a passkey, registered by the testkit's soft browser and used through a {@link FastAuthenticator}. Thread-safe,
 * but the passkey has a sign count: concurrent logins of one user may be refused.
 */
public final class Person {
    private static final String SIGNUP = "/auth/signup";
    private static final String REGISTER = "/auth/passkey/register/";
    private static final String LOGIN = "/auth/passkey/login/";

    private final String userId;
    private final String credentialId;
    private final String origin;
    private final String userHandle;
    private final FastAuthenticator authenticator;
    private final AtomicInteger count;

    private Person(String userId, String origin, JsonObject passkey) {
        this.userId = userId;
        this.origin = origin;
        credentialId = passkey.string("id");
        userHandle = passkey.string("userHandle");
        count = new AtomicInteger(passkey.integer("signCount"));
        authenticator = new FastAuthenticator(passkey.string("rpId"), privateKey(passkey.octets("privateKey")));
    }

    /**
     * Signs up and registers a passkey, as the pages do.
     *
     * @param origin the pages' origin, which differs from the connection's address behind a proxy
     * @throws RefusedException if a step was refused
     */
    public static Person register(Connection connection, URI origin, String userId) throws IOException {
        String body = new JsonObject().put("userId", userId).toString();
        return enroll(
                connection,
                origin,
                userId,
                expect(SIGNUP, connection.post(SIGNUP, body)).field("token"));
    }

    /** Registers a passkey with an enrollment token or the token of a signed-in user. */
    public static Person enroll(Connection connection, URI origin, String userId, String token) throws IOException {
        SoftBrowser browser = new SoftBrowser(origin.toString(), SoftAuthenticator.securityKey());
        String authorization = "Authorization: Bearer " + token;
        Response options = expect(REGISTER + "options", connection.get(REGISTER + "options", authorization));
        String made = browser.create(options.body());
        expect(REGISTER + "finish", connection.post(REGISTER + "finish", made, authorization));
        return of(userId, origin, browser.authenticator());
    }

    /** A user with the only passkey of an authenticator, registered elsewhere. */
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

    /** Requests login options. */
    public Response options(Connection connection) throws IOException {
        return connection.get(LOGIN + "options?userId=" + userId);
    }

    /** The browser's response to these options. */
    public String respond(Response options) {
        return respond(options, origin, true);
    }

    /** A response with an invalid signature. */
    public String respondWrongly(Response options) {
        return respond(options, origin, false);
    }

    /** A response from a page of another origin, with a valid signature. */
    public String respondFrom(String otherOrigin, Response options) {
        return respond(options, otherOrigin, true);
    }

    private String respond(Response options, String pageOrigin, boolean valid) {
        return authenticator.respond(
                options.field("challenge"), pageOrigin, credentialId, userHandle, count.incrementAndGet(), valid);
    }

    /** Sends the browser's response. */
    public Response finish(Connection connection, String response) throws IOException {
        return connection.post(LOGIN + "finish?userId=" + userId, response);
    }

    /** Removes this passkey with the token of a signed-in user. */
    public Response remove(Connection connection, String token) throws IOException {
        return connection.send(
                "DELETE", "/auth/passkey/credentials/" + credentialId, null, "Authorization: Bearer " + token);
    }

    /** A whole login. Returns the finish response, or the options response if that was refused. */
    public Response login(Connection connection) throws IOException {
        Response options = options(connection);
        return options.ok() ? finish(connection, respond(options)) : options;
    }

    private static Response expect(String path, Response response) throws RefusedException {
        if (!response.ok()) {
            throw new RefusedException(path, response);
        }
        return response;
    }

    private static ECPrivateKey privateKey(byte[] encoded) {
        try {
            return (ECPrivateKey) KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
