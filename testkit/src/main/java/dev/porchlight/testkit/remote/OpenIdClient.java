// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.remote;

import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An application that signs users in with OpenID Connect, and the part of their browsers. Immutable.
 *
 * @param web the connection to the provider, without headers
 * @param secret null for a public client
 * @param scope the scopes that it requests
 * @param verifier for PKCE
 */
public record OpenIdClient(
        Web web, String id, @Nullable String secret, String redirectUri, String scope, String verifier) {
    public static final String REDIRECT_URI = "https://app.example/callback";
    public static final String VERIFIER = "a-code-verifier-that-has-at-least-43-characters-in-it";
    public static final String CLIENTS = "/admin/clients";
    public static final String AUTHORIZE = "/oauth2/authorize";
    public static final String CONTINUE = "/oauth2/continue?request=";
    public static final String TOKEN = "/oauth2/token";
    public static final String USERINFO = "/oauth2/userinfo";

    private static final Pattern SEALED = Pattern.compile("[?]request=([A-Za-z0-9_.-]+)");

    /** A client that is already registered. */
    public OpenIdClient(Web web, String id, @Nullable String secret) {
        this(web, id, secret, REDIRECT_URI, "openid profile groups", VERIFIER);
    }

    /**
     * Registers a client.
     *
     * @param admin with the admin token, if the service needs one
     * @param settings members of the request, such as {@code ,"public":true}
     */
    public static OpenIdClient register(Web admin, String settings) {
        JsonObject request = JsonObject.parse('{' + settings.replaceFirst("^,", "") + '}');
        if (!request.has("clientId")) {
            request.put("clientId", "app-" + UUID.randomUUID());
        }
        if (!request.has("name")) {
            request.put("name", "The App");
        }
        if (!request.has("redirectUris")) {
            request.put("redirectUris", List.of(REDIRECT_URI));
        }
        String secret =
                admin.post(CLIENTS, request.toString()).expect(201).json().string("clientSecret", "");
        return new OpenIdClient(admin.anonymous(), request.string("clientId"), secret.isEmpty() ? null : secret);
    }

    /** The same client over another transport, such as a connection to another instance. */
    public OpenIdClient at(Transport transport) {
        return at(new Web(transport));
    }

    public OpenIdClient at(Web other) {
        return new OpenIdClient(other, id, secret, redirectUri, scope, verifier);
    }

    public OpenIdClient withScope(String other) {
        return new OpenIdClient(web, id, secret, redirectUri, other, verifier);
    }

    public OpenIdClient withVerifier(String other) {
        return new OpenIdClient(web, id, secret, redirectUri, scope, other);
    }

    /** The parameters of a valid authorization request. */
    public Map<String, String> request() {
        Map<String, String> request = new LinkedHashMap<>();
        request.put("response_type", "code");
        request.put("client_id", id);
        request.put("redirect_uri", redirectUri);
        request.put("scope", scope);
        request.put("state", "the state");
        request.put("nonce", "the nonce");
        request.put("code_challenge", challenge());
        request.put("code_challenge_method", "S256");
        return request;
    }

    /** A valid request with one parameter replaced. */
    public Map<String, String> request(String name, String value) {
        Map<String, String> request = request();
        request.put(name, value);
        return request;
    }

    public String challenge() {
        return Octets.base64Url(Octets.sha256(Octets.utf8(verifier)));
    }

    public TestResponse authorize(Map<String, String> request) {
        return authorize(web, request);
    }

    /** Sends the authorization request, as a link in this browser does. */
    public TestResponse authorize(Web browser, Map<String, String> request) {
        return browser.get(AUTHORIZE + '?' + form(request));
    }

    /** Begins a sign-in and returns the sealed request that the sign-in page gets. */
    public String begin(Map<String, String> request) {
        return sealed(authorize(request));
    }

    /** The sealed request in a redirect or page that leads to the sign-in. */
    public static String sealed(TestResponse response) {
        String sealed = findSealed(response);
        if (sealed == null) {
            throw new AssertionError("expected a sealed request, got " + response);
        }
        return sealed;
    }

    /** Like {@link #sealed}, but null if there is none. */
    public static @Nullable String findSealed(TestResponse response) {
        String location = response.header("Location");
        Matcher request = SEALED.matcher(location == null ? response.body() : location);
        return request.find() ? request.group(1) : null;
    }

    /** Continues after the sign-in page. */
    public static TestResponse proceed(Web browser, String sealed) {
        return browser.with("Sec-Fetch-Site", "same-origin").get(CONTINUE + sealed);
    }

    /** Signs a user in with the passkey for this request, as the sign-in page does, and returns their browser. */
    public static Web signInFor(Person person, String sealed) {
        String requestId = person.web()
                .with("Sec-Fetch-Site", "same-origin")
                .get("/oauth2/request?request=" + sealed)
                .expect(200)
                .json()
                .string("requestId");
        return person.web().cookie(Person.cookie(person.loginFor(requestId).expect(200)));
    }

    /** Signs in and returns the parameters of the response. */
    public Map<String, String> signIn(Web browser, Map<String, String> request) {
        return response(proceed(browser, begin(request)).expect(303));
    }

    /** Signs in to the application with a session of the service, and returns the code. */
    public String code(String cookie) {
        return code(web.cookie(cookie));
    }

    public String code(Web browser) {
        Map<String, String> response = signIn(browser, request());
        String code = response.get("code");
        if (code == null) {
            throw new AssertionError("expected a code, got " + response);
        }
        return code;
    }

    /** The tokens of a new sign-in. */
    public JsonObject tokens(Web browser) {
        return redeem(code(browser)).expect(200).json();
    }

    /** The parameters in the query of a redirect; empty if there is no redirect. */
    public static Map<String, String> response(TestResponse redirect) {
        String location = redirect.header("Location");
        return location == null ? Map.of() : response(location);
    }

    public static Map<String, String> response(String uri) {
        String query = URI.create(uri).getRawQuery();
        return query == null
                ? Map.of()
                : Arrays.stream(query.split("&", -1))
                        .map(pair -> pair.split("=", 2))
                        .collect(Collectors.toMap(
                                pair -> pair[0],
                                pair -> URLDecoder.decode(pair[pair.length - 1], StandardCharsets.UTF_8)));
    }

    public TestResponse redeem(String code) {
        return token(redeeming(code));
    }

    /** The parameters of a token request with a code. */
    public Map<String, String> redeeming(String code) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("grant_type", "authorization_code");
        parameters.put("code", code);
        parameters.put("redirect_uri", redirectUri);
        parameters.put("code_verifier", verifier);
        return parameters;
    }

    public TestResponse refresh(String token) {
        return token(refreshing(token));
    }

    /** The parameters of a token request with a refresh token. */
    public static Map<String, String> refreshing(String token) {
        return new LinkedHashMap<>(Map.of("grant_type", "refresh_token", "refresh_token", token));
    }

    /** Sends a token request with the client's credentials. */
    public TestResponse token(Map<String, String> parameters) {
        return post(authenticated(), TOKEN, parameters);
    }

    /** Calls an endpoint; a client without a secret names itself in the form. */
    public TestResponse post(Web caller, String path, Map<String, String> parameters) {
        return caller.postForm(path, identified(parameters));
    }

    /** The parameters, with the client's id if it has no secret. */
    public Map<String, String> identified(Map<String, String> parameters) {
        Map<String, String> all = new LinkedHashMap<>(parameters);
        if (secret == null) {
            all.putIfAbsent("client_id", id);
        }
        return all;
    }

    /** The connection with the client's secret, if it has one. */
    public Web authenticated() {
        return secret == null ? web : web.with("Authorization", basic(id, secret));
    }

    public static String basic(String id, String secret) {
        return "Basic " + Base64.getEncoder().encodeToString(Octets.utf8(id + ':' + secret));
    }

    public TestResponse userinfo(String accessToken) {
        return web.bearer(accessToken).get(USERINFO);
    }

    public static String form(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> encode(entry.getKey()) + '=' + encode(entry.getValue()))
                .collect(Collectors.joining("&"));
    }

    public static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
