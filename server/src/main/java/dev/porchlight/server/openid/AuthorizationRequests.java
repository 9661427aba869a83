// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.auth.Sealer;
import dev.porchlight.server.openid.Refusal.Reason;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Validates authorization requests, and seals valid ones for their way through the browser. Thread-safe. */
final class AuthorizationRequests {
    /** How long a user may take to sign in. */
    static final Duration LIFETIME = Duration.ofMinutes(15);

    /** How long a pushed request can be used. */
    static final Duration PUSHED_LIFETIME = Duration.ofSeconds(60);

    static final String PUSHED_PREFIX = "urn:ietf:params:oauth:request_uri:";
    private static final String IN_BROWSER = "authorization request";
    private static final String PUSHED = "pushed authorization request";

    /** RFC 6749 allows VSCHAR. The sealed request must fit in a URL. */
    private static final Pattern STATE = Pattern.compile("[ -~]{1,1024}");

    private static final Pattern NONCE = Pattern.compile("[ -~]{1,255}");
    private static final Pattern HINT = Pattern.compile(".{1,256}");
    private static final Pattern S256 = Pattern.compile("[A-Za-z0-9_-]{43}");
    private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

    private final Clients clients;
    private final Sealer sealer;
    private final InstantSource clock;

    AuthorizationRequests(Clients clients, Sealer sealer, InstantSource clock) {
        this.clients = clients;
        this.sealer = sealer;
        this.clock = clock;
    }

    /** Where errors go: to the page for the user, or to the client, whose redirect URI is known to be its own. */
    record Target(
            Client client, String redirectUri, @Nullable String state) {}

    /**
     * Finds the client and the redirect URI. Until both are known to belong together, no error may be sent to the URI.
     *
     * @throws RefusedException for an error that only the user may see
     */
    Target target(Parameters parameters) throws RefusedException {
        String clientId = once(parameters, "client_id");
        Client client = clientId == null ? null : clients.find(clientId);
        if (client == null) {
            throw refused(Reason.UNKNOWN_CLIENT, "client_id", "the id of a registered client", clientId);
        }
        String redirectUri = once(parameters, "redirect_uri");
        if (redirectUri == null || !RedirectUri.isRegistered(client, redirectUri)) {
            String expected = String.join(" or ", client.settings().redirectUris());
            throw refused(Reason.REDIRECT_URI_MISMATCH, "redirect_uri", expected, redirectUri);
        }
        return new Target(client, redirectUri, parameters.isRepeated("state") ? null : parameters.get("state"));
    }

    /**
     * Validates the rest of a request.
     *
     * @throws RefusedException for an error that the client is to receive
     */
    SignInRequest validate(Target target, Parameters parameters) throws RefusedException {
        if (!parameters.repeated().isEmpty()) {
            String name = parameters.repeated().iterator().next();
            throw refused(Reason.REPEATED_PARAMETER, name, "one value", "several values");
        }
        expect(parameters, "response_type", "code", Reason.UNSUPPORTED_RESPONSE_TYPE, false);
        expect(parameters, "response_mode", "query", Reason.UNSUPPORTED_RESPONSE_MODE, true);
        if (parameters.get("request") != null || parameters.get("request_uri") != null) {
            throw refused(Reason.REQUEST_OBJECT_NOT_SUPPORTED, "request", "no request object", "a request object");
        }
        String scope = parameters.get("scope");
        List<String> scopes = scope == null ? List.of() : List.of(scope.split(" ", -1));
        if (!scopes.contains("openid")) {
            throw refused(Reason.MISSING_OPENID_SCOPE, "scope", "openid", scope);
        }
        String challenge = parameters.get("code_challenge");
        if (challenge == null || !S256.matcher(challenge).matches()) {
            throw refused(Reason.MISSING_PKCE, "code_challenge", "43 characters of base64url", challenge);
        }
        expect(parameters, "code_challenge_method", "S256", Reason.MISSING_PKCE, false);
        String prompt = parameters.get("prompt");
        if (prompt != null && !prompt.equals("none") && !prompt.equals("login")) {
            throw refused(Reason.INVALID_PROMPT, "prompt", "none or login", prompt);
        }
        String maxAge = parameters.get("max_age");
        if (maxAge != null && !SECONDS.matcher(maxAge).matches()) {
            throw refused(Reason.INVALID_MAX_AGE, "max_age", "a number of seconds", maxAge);
        }
        requireForm(parameters, "state", STATE, "at most 1024 characters of ASCII");
        requireForm(parameters, "nonce", NONCE, "at most 255 characters of ASCII");
        requireForm(parameters, "login_hint", HINT, "at most 256 characters");
        requireForm(parameters, "dpop_jkt", S256, "43 characters of base64url");
        parseStrictly(parameters);
        return new SignInRequest(
                target.client().id(),
                target.redirectUri(),
                scopes.stream().filter(OpenIdTokens.SCOPES::contains).distinct().toList(),
                parameters.get("state"),
                parameters.get("nonce"),
                challenge,
                "none".equals(prompt),
                "login".equals(prompt) || "0".equals(maxAge),
                maxAge == null ? null : Long.valueOf(maxAge),
                parameters.get("login_hint"),
                parameters.get("dpop_jkt"),
                null,
                clock.millis());
    }

    /** Seals a request for its way through the browser. */
    String seal(SignInRequest request) {
        return sealer.seal(request.toJson(), IN_BROWSER);
    }

    /** Opens a request that came back from the browser; null if it is not genuine or too old. */
    @Nullable
    SignInRequest open(String sealed) {
        return open(sealed, IN_BROWSER, LIFETIME);
    }

    /** Seals a pushed request. The {@code request_uri} is all that is needed to open it, so nothing is stored. */
    String push(SignInRequest request) {
        return PUSHED_PREFIX + sealer.seal(request.toJson(), PUSHED);
    }

    /** Opens a pushed request; null if it is not genuine, too old, or of another client. */
    @Nullable
    SignInRequest openPushed(String requestUri, @Nullable String clientId) {
        SignInRequest request = requestUri.startsWith(PUSHED_PREFIX)
                ? open(requestUri.substring(PUSHED_PREFIX.length()), PUSHED, PUSHED_LIFETIME)
                : null;
        return request == null || !request.clientId().equals(clientId) ? null : request;
    }

    private @Nullable SignInRequest open(String sealed, String place, Duration lifetime) {
        String json = sealer.open(sealed, place);
        if (json == null) {
            return null;
        }
        try {
            SignInRequest request = SignInRequest.parse(json);
            return request.issuedAt() + lifetime.toMillis() <= clock.millis() ? null : request;
        } catch (MalformedException e) {
            return null; // sealed by another release
        }
    }

    /** The SDK knows more rules than those above: for example the form of scopes, locales and hints. */
    private static void parseStrictly(Parameters parameters) throws RefusedException {
        try {
            var unused = AuthenticationRequest.parse(parameters.toMap());
        } catch (ParseException | IllegalArgumentException e) {
            String message = e.getMessage() == null ? "" : e.getMessage();
            throw refused(Reason.MALFORMED_REQUEST, "", "an OpenID Connect authentication request", message);
        }
    }

    private static void expect(Parameters parameters, String name, String expected, Reason reason, boolean optional)
            throws RefusedException {
        String value = parameters.get(name);
        if (!expected.equals(value) && !(optional && value == null)) {
            throw refused(reason, name, expected, value);
        }
    }

    private static void requireForm(Parameters parameters, String name, Pattern form, String expected)
            throws RefusedException {
        String value = parameters.get(name);
        if (value != null && !form.matcher(value).matches()) {
            throw refused(Reason.MALFORMED_REQUEST, name, expected, value);
        }
    }

    private static @Nullable String once(Parameters parameters, String name) throws RefusedException {
        if (parameters.isRepeated(name)) {
            throw refused(Reason.REPEATED_PARAMETER, name, "one value", "several values");
        }
        return parameters.get(name);
    }

    private static RefusedException refused(Reason reason, String parameter, String expected, @Nullable String found) {
        return new RefusedException(reason.of(parameter, expected, found == null ? "nothing" : found));
    }
}
