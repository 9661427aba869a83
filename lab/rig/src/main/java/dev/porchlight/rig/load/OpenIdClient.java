// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.http.Response;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.io.IOException;
import java.net.URLEncoder;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client of OpenID Connect with a secret, and the part of its user's browser. Immutable. */
public final class OpenIdClient {
    /** Where clients are sent back to after a sign-in. */
    public static final String REDIRECT_URI = "https://app.example/callback";

    private static final String CLIENTS = "/admin/clients";
    private static final String VERIFIER = "a-verifier-with-at-least-43-characters-for-pkce";
    private static final Pattern SEALED = Pattern.compile("[?]request=([A-Za-z0-9_.-]+)");
    private static final Pattern CODE = Pattern.compile("[?&]code=([^&]+)");

    private final String userinfo;
    private final String authorization;
    private final String request;

    /**
     * A client that is registered at a provider.
     *
     * @param userinfo the path of the provider's userinfo endpoint
     */
    public OpenIdClient(String id, String secret, String userinfo) {
        this.userinfo = userinfo;
        authorization =
                "Authorization: Basic " + Base64.getEncoder().encodeToString((id + ':' + secret).getBytes(UTF_8));
        request = "/oauth2/authorize?response_type=code&scope=openid+profile+offline_access&state=s&nonce=n&client_id="
                + id
                + "&redirect_uri=" + encode(REDIRECT_URI)
                + "&code_challenge_method=S256&code_challenge="
                + Octets.base64Url(Octets.sha256(Octets.utf8(VERIFIER)));
    }

    /**
     * Registers a client at a service in localhost mode, which needs no admin token.
     *
     * @throws RefusedException if the service refused it
     */
    public static OpenIdClient register(Connection connection, String id) throws IOException {
        String body = new JsonObject()
                .put("clientId", id)
                .put("redirectUris", List.of(REDIRECT_URI))
                .toString();
        return new OpenIdClient(
                id, expect(CLIENTS, connection.post(CLIENTS, body)).field("clientSecret"), "/oauth2/userinfo");
    }

    /** Sends the authorization request, as a link of the application does. */
    public Response authorize(Connection connection, String... headers) throws IOException {
        return connection.get(request, headers);
    }

    /** Continues after the sign-in, as the sign-in page does. */
    public Response proceed(Connection connection, Response authorized, String cookie) throws IOException {
        return connection.get(
                "/oauth2/continue?request=" + match(SEALED, authorized),
                "Cookie: " + cookie,
                "Sec-Fetch-Site: same-origin");
    }

    /**
     * Signs in to the application with a session of the service, and returns the code.
     *
     * @throws RefusedException if a step was refused
     */
    public String code(Connection connection, String cookie) throws IOException {
        return code(proceed(connection, authorize(connection), cookie));
    }

    /** The code in a redirect to the application. */
    public static String code(Response redirect) throws IOException {
        return match(CODE, redirect);
    }

    /** Exchanges a code for tokens. */
    public Response redeem(Connection connection, String code) throws IOException {
        return token(
                connection,
                "grant_type=authorization_code&redirect_uri=" + encode(REDIRECT_URI) + "&code_verifier=" + VERIFIER
                        + "&code=" + code);
    }

    public Response refresh(Connection connection, String refreshToken) throws IOException {
        return token(connection, "grant_type=refresh_token&refresh_token=" + refreshToken);
    }

    private Response token(Connection connection, String form) throws IOException {
        return connection.postForm("/oauth2/token", form, authorization);
    }

    public Response userinfo(Connection connection, String accessToken) throws IOException {
        return connection.get(userinfo, "Authorization: Bearer " + accessToken);
    }

    private static String match(Pattern pattern, Response response) throws IOException {
        Matcher matcher = pattern.matcher(String.valueOf(response.header("Location")));
        if (!matcher.find()) {
            throw new RefusedException("a redirect with " + pattern, response);
        }
        return matcher.group(1);
    }

    private static Response expect(String path, Response response) throws RefusedException {
        if (!response.ok()) {
            throw new RefusedException(path, response);
        }
        return response;
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, UTF_8);
    }
}
