// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A temporary client of OpenID Connect, and the browser of its user. Immutable.
 *
 * @param secret null for a client without one
 * @param verifier for PKCE
 */
record OpenIdClient(Target target, String id, @Nullable String secret, String redirectUri, String verifier) {
    static final String CLIENTS = "/admin/clients";
    static final String AUTHORIZE = "/oauth2/authorize";
    static final String CONTINUE = "/oauth2/continue?request=";
    static final String TOKEN = "/oauth2/token";
    static final String USERINFO = "/oauth2/userinfo";

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Pattern SEALED = Pattern.compile("[?]request=([A-Za-z0-9_.-]+)");
    private static final String[] FORM = {"Content-Type", "application/x-www-form-urlencoded"};

    /** Registers a client; null if the service does not let this caller register one. */
    static @Nullable OpenIdClient register(Scene scene, String redirectUri, JsonObject settings) {
        String id = "attack-" + random(8).toLowerCase(Locale.ROOT).replace('_', '-');
        String body = settings.put("clientId", id)
                .put("name", "Attack")
                .put("redirectUris", List.of(redirectUri))
                .toString();
        Response response = scene.target().post(CLIENTS, body, admin(scene));
        if (response.status() != 201) {
            return null;
        }
        String secret = response.json().string("clientSecret", "");
        return new OpenIdClient(scene.target(), id, secret.isEmpty() ? null : secret, redirectUri, random(32));
    }

    void remove(Scene scene) {
        target.delete(CLIENTS + '/' + id, admin(scene));
    }

    private static String[] admin(Scene scene) {
        String token = scene.adminToken();
        return token == null ? new String[0] : GrantedAccess.bearer(token);
    }

    /** The parameters of a valid authorization request. */
    Map<String, String> request() {
        Map<String, String> request = new LinkedHashMap<>();
        request.put("response_type", "code");
        request.put("client_id", id);
        request.put("redirect_uri", redirectUri);
        request.put("scope", "openid profile offline_access");
        request.put("state", "a state");
        request.put("nonce", "a nonce");
        request.put("code_challenge", challenge());
        request.put("code_challenge_method", "S256");
        return request;
    }

    /** A valid request with one parameter replaced. */
    Map<String, String> request(String name, String value) {
        Map<String, String> request = request();
        request.put(name, value);
        return request;
    }

    String challenge() {
        return Octets.base64Url(Octets.sha256(Octets.utf8(verifier)));
    }

    Response authorize(Map<String, String> request, String... headers) {
        return target.get(AUTHORIZE + '?' + form(request), headers);
    }

    /** Begins a sign-in. Returns the request as it is sealed for the browser. */
    String begin(Map<String, String> request) {
        Response response = authorize(request);
        String sealed = sealed(response);
        if (sealed == null) {
            throw new AttackException("a valid authorization request was refused with status " + response.status());
        }
        return sealed;
    }

    /** The sealed request in a redirect or page that leads to the sign-in; null if there is none. */
    static @Nullable String sealed(Response response) {
        String location = response.header("Location");
        Matcher matcher = SEALED.matcher(location == null ? response.body() : location);
        return matcher.find() ? matcher.group(1) : null;
    }

    /** Continues as the sign-in page does. */
    Response proceed(String sealed, String... session) {
        return target.get(CONTINUE + sealed, and(session, "Sec-Fetch-Site", "same-origin"));
    }

    /** A new code for the user of this session. */
    String code(String... session) {
        Response response = proceed(begin(request()), session);
        String code = parameter(response, "code");
        if (code == null) {
            throw new AttackException("a valid sign-in to a client failed with status " + response.status());
        }
        return code;
    }

    /** A parameter in the query of a redirect; null if it is missing. */
    static @Nullable String parameter(Response response, String name) {
        Matcher matcher =
                Pattern.compile("[?&]" + name + "=([^&#\"]*)").matcher(String.valueOf(response.header("Location")));
        return matcher.find() ? URLDecoder.decode(matcher.group(1), StandardCharsets.UTF_8) : null;
    }

    /** The parameters that redeem a code. */
    Map<String, String> redemption(String code) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("grant_type", "authorization_code");
        parameters.put("code", code);
        parameters.put("redirect_uri", redirectUri);
        parameters.put("code_verifier", verifier);
        return parameters;
    }

    Response redeem(String code) {
        return token(redemption(code));
    }

    static Map<String, String> refreshing(String token) {
        return new LinkedHashMap<>(Map.of("grant_type", "refresh_token", "refresh_token", token));
    }

    Response refresh(String token) {
        return token(refreshing(token));
    }

    /** The tokens of a new sign-in. */
    JsonObject tokens(String... session) {
        Response response = redeem(code(session));
        if (!response.success()) {
            throw new AttackException(
                    "a valid code was refused with status " + response.status() + ' ' + response.body());
        }
        return response.json();
    }

    /** Sends a token request with the client's credentials. */
    Response token(Map<String, String> parameters, String... headers) {
        return post(TOKEN, identified(parameters), and(headers, authentication()));
    }

    /** Sends the same token request concurrently. */
    List<Response> tokenAtOnce(int times, Map<String, String> parameters) {
        return target.atOnce(times, TOKEN, Octets.utf8(form(identified(parameters))), and(FORM, authentication()));
    }

    /** Sends a form without credentials. */
    Response post(String path, Map<String, String> parameters, String... headers) {
        return target.sendBody(path, Octets.utf8(form(parameters)), and(FORM, headers));
    }

    Response userinfo(String accessToken) {
        return target.get(USERINFO, GrantedAccess.bearer(accessToken));
    }

    /** The header that authenticates a client with a secret. */
    String[] authentication() {
        return secret == null ? new String[0] : basic(id, secret);
    }

    static String[] basic(String id, String secret) {
        String credentials = Base64.getEncoder().encodeToString(Octets.utf8(id + ':' + secret));
        return new String[] {"Authorization", "Basic " + credentials};
    }

    /** A client without a secret names itself in the form. */
    private Map<String, String> identified(Map<String, String> parameters) {
        Map<String, String> all = new LinkedHashMap<>(parameters);
        if (secret == null) {
            all.putIfAbsent("client_id", id);
        }
        return all;
    }

    static String form(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(parameter -> encode(parameter.getKey()) + '=' + encode(parameter.getValue()))
                .collect(Collectors.joining("&"));
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    static String[] and(String[] headers, String... more) {
        return Stream.of(headers, more).flatMap(Stream::of).toArray(String[]::new);
    }

    static String random(int octets) {
        byte[] random = new byte[octets];
        RANDOM.nextBytes(random);
        return Octets.base64Url(random);
    }
}
