// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.Base64URL;
import dev.porchlight.testkit.wire.JsonObject;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A client application and the browser of its user, for tests of OpenID Connect. */
final class OpenIdClient {
    static final String REDIRECT_URI = "https://app.example/callback";
    static final String VERIFIER = "a-code-verifier-that-has-at-least-43-characters-in-it";

    private static final Pattern SEALED = Pattern.compile("/(?:oauth2/continue)?\\?request=([A-Za-z0-9_.-]+)");

    private final Service service;
    private final String id;
    private final String secret;

    private OpenIdClient(Service service, String id, String secret) {
        this.service = service;
        this.id = id;
        this.secret = secret;
    }

    /** Registers a client with these settings, as JSON members. */
    static OpenIdClient register(Service service, String settings) {
        String id = "app-" + UUID.randomUUID();
        JsonObject registered = service.admin()
                .post(
                        "/admin/clients",
                        "{\"clientId\":\"" + id + "\",\"name\":\"The App\""
                                + (settings.contains("redirectUris")
                                        ? ""
                                        : ",\"redirectUris\":[\"" + REDIRECT_URI + "\"]")
                                + settings + "}")
                .expect(201)
                .json();
        return new OpenIdClient(
                service, id, registered.names().contains("clientSecret") ? registered.string("clientSecret") : null);
    }

    /** The same client at another instance. */
    OpenIdClient at(Service instance) {
        return new OpenIdClient(instance, id, secret);
    }

    String id() {
        return id;
    }

    String secret() {
        return secret;
    }

    /** The parameters of a valid authorization request. */
    Map<String, String> request() {
        Map<String, String> request = new LinkedHashMap<>();
        request.put("response_type", "code");
        request.put("client_id", id);
        request.put("redirect_uri", REDIRECT_URI);
        request.put("scope", "openid profile groups");
        request.put("state", "the state");
        request.put("nonce", "the nonce");
        request.put("code_challenge", challenge());
        request.put("code_challenge_method", "S256");
        return request;
    }

    static String challenge() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(VERIFIER.getBytes(StandardCharsets.US_ASCII));
            return Base64URL.encode(digest).toString();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    TestResponse authorize(Map<String, String> request) {
        return service.web().get("/oauth2/authorize?" + form(request));
    }

    /** Begins a sign-in and returns the sealed request that the sign-in page gets. */
    String begin(Map<String, String> request) {
        return sealed(authorize(request));
    }

    /** The sealed request in a redirect to the sign-in page, or in the page that leads on without showing anything. */
    static String sealed(TestResponse response) {
        String location = response.header("Location");
        Matcher request = SEALED.matcher(location == null ? response.body() : location);
        assertThat(request.find()).as("a sealed request").isTrue();
        return request.group(1);
    }

    /** Continues after the sign-in page. */
    static TestResponse proceed(Web browser, String sealed) {
        return browser.with("Sec-Fetch-Site", "same-origin").get("/oauth2/continue?request=" + sealed);
    }

    /** Signs in and returns the parameters of the response. */
    Map<String, String> signIn(Web browser, Map<String, String> request) {
        return response(proceed(browser, begin(request)).expect(303).header("Location"));
    }

    String code(Web browser) {
        return signIn(browser, request()).get("code");
    }

    static Map<String, String> response(String uri) {
        return Arrays.stream(URI.create(uri).getRawQuery().split("&"))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
    }

    TestResponse redeem(String code) {
        return token(redeeming(code));
    }

    /** The parameters of a token request with a code. */
    static Map<String, String> redeeming(String code) {
        return Map.of(
                "grant_type",
                "authorization_code",
                "code",
                code,
                "redirect_uri",
                REDIRECT_URI,
                "code_verifier",
                VERIFIER);
    }

    TestResponse refresh(String token) {
        return token(Map.of("grant_type", "refresh_token", "refresh_token", token));
    }

    TestResponse token(Map<String, String> parameters) {
        return post(authenticated(), "/oauth2/token", parameters);
    }

    /** Calls an endpoint as this client, which authenticates if it has a secret. */
    TestResponse post(Web web, String path, Map<String, String> parameters) {
        Map<String, String> all = new LinkedHashMap<>(parameters);
        if (secret == null) {
            all.putIfAbsent("client_id", id);
        }
        return web.with("Content-Type", "application/x-www-form-urlencoded")
                .send("POST", path, BodyPublishers.ofString(form(all)));
    }

    Web authenticated() {
        return secret == null
                ? service.web()
                : service.web()
                        .with(
                                "Authorization",
                                "Basic "
                                        + com.nimbusds.jose.util.Base64.encode(id + ":" + secret)
                                                .toString());
    }

    TestResponse userinfo(String accessToken) {
        return service.web().bearer(accessToken).get("/oauth2/userinfo");
    }

    static String form(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> encode(entry.getKey()) + "=" + encode(entry.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
