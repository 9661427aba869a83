// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.OIDCClaimsRequest;
import com.nimbusds.openid.connect.sdk.claims.ClaimsSetRequest;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.auth.Sealer;
import dev.porchlight.server.openid.Refusal.Reason;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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

    private static final Set<String> PROMPTS = Set.of("none", "login", "consent", "select_account");

    /** The characters of a sealed text that are its nonce, which no other has. */
    private static final int NONCE_LENGTH = 16;

    private final Clients clients;
    private final OpenIdTokens tokens;
    private final Sealer sealer;
    private final Sql sql;
    private final InstantSource clock;

    AuthorizationRequests(Clients clients, OpenIdTokens tokens, Sealer sealer, Sql sql, InstantSource clock) {
        this.clients = clients;
        this.tokens = tokens;
        this.sealer = sealer;
        this.sql = sql;
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
        Set<String> prompts = prompts(parameters.get("prompt"));
        String maxAge = parameters.get("max_age");
        if (maxAge != null && !SECONDS.matcher(maxAge).matches()) {
            throw refused(Reason.INVALID_MAX_AGE, "max_age", "a number of seconds", maxAge);
        }
        requireForm(parameters, "state", STATE, "at most 1024 characters of ASCII");
        requireForm(parameters, "nonce", NONCE, "at most 255 characters of ASCII");
        requireForm(parameters, "login_hint", HINT, "at most 256 characters");
        requireForm(parameters, "dpop_jkt", S256, "43 characters of base64url");
        AuthenticationRequest parsed = parseStrictly(parameters);
        return new SignInRequest(
                target.client().id(),
                target.redirectUri(),
                scopes.stream().filter(OpenIdTokens.SCOPES::contains).distinct().toList(),
                parameters.get("state"),
                parameters.get("nonce"),
                challenge,
                prompts.contains("none"),
                prompts.contains("login") || "0".equals(maxAge),
                prompts.contains("consent"),
                maxAge == null ? null : Long.valueOf(maxAge),
                parameters.get("login_hint"),
                expectedUser(target.client(), parameters.get("id_token_hint"), parsed.getOIDCClaims()),
                parameters.get("dpop_jkt"),
                null,
                null,
                clock.millis());
    }

    /** The sign-in page always lets the user choose the account, so {@code select_account} changes nothing. */
    private static Set<String> prompts(@Nullable String prompt) throws RefusedException {
        Set<String> prompts = prompt == null ? Set.of() : new HashSet<>(List.of(prompt.split(" ", -1)));
        if (!PROMPTS.containsAll(prompts) || prompts.contains("none") && prompts.size() > 1) {
            throw refused(Reason.INVALID_PROMPT, "prompt", "none, or some of login, consent, select_account", prompt);
        }
        return prompts;
    }

    /** The user that the client asks for, by an ID token or by the claim {@code sub}; null for any. */
    private @Nullable String expectedUser(Client client, @Nullable String hint, @Nullable OIDCClaimsRequest claims)
            throws RefusedException {
        Set<String> expected = new HashSet<>();
        if (hint != null) {
            JWTClaimsSet token = tokens.hint(hint);
            if (token == null || !token.getAudience().equals(List.of(client.id()))) {
                throw refused(
                        Reason.INVALID_ID_TOKEN_HINT, "id_token_hint", "an ID token of this client", "another token");
            }
            expected.add(token.getSubject());
        }
        List<ClaimsSetRequest.Entry> subjects = claims == null
                ? List.of()
                : Stream.of(claims.getIDTokenClaimsRequest(), claims.getUserInfoClaimsRequest())
                        .flatMap(set -> set == null ? Stream.empty() : set.getEntries().stream())
                        .filter(entry -> entry.getClaimName().equals("sub"))
                        .toList();
        for (ClaimsSetRequest.Entry subject : subjects) {
            if (subject.getValuesAsRawList() != null) {
                throw refused(Reason.INVALID_SUBJECT, "claims", "one value of sub", "several values");
            }
            String value =
                    subject.getRawValue() == null ? null : subject.getRawValue().toString();
            if (value != null && !HINT.matcher(value).matches()) {
                throw refused(Reason.INVALID_SUBJECT, "claims", "at most 256 characters of sub", value);
            }
            if (value != null) {
                expected.add(value);
            }
        }
        if (expected.size() > 1) {
            throw refused(Reason.INVALID_SUBJECT, "claims", "one user", "several users");
        }
        return expected.isEmpty() ? null : expected.iterator().next();
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

    /** Seals a pushed request. The {@code request_uri} is all that is needed to open it, so nothing is stored before that. */
    String push(SignInRequest request) {
        return PUSHED_PREFIX + sealer.seal(request.toJson(), PUSHED);
    }

    /** Opens a pushed request, once; null if it is not genuine, too old, of another client, or was used before. */
    @Nullable
    SignInRequest openPushed(String requestUri, String clientId) {
        if (!requestUri.startsWith(PUSHED_PREFIX)) {
            return null;
        }
        String sealed = requestUri.substring(PUSHED_PREFIX.length());
        SignInRequest request = open(sealed, PUSHED, PUSHED_LIFETIME);
        if (request == null || !request.clientId().equals(clientId)) {
            return null;
        }
        Instant end = Instant.ofEpochMilli(request.issuedAt()).plus(PUSHED_LIFETIME);
        return UsedTokens.use(sql, "pushed request " + sealed.substring(0, NONCE_LENGTH), end) ? request : null;
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
    private static AuthenticationRequest parseStrictly(Parameters parameters) throws RefusedException {
        try {
            return AuthenticationRequest.parse(parameters.toMap());
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
