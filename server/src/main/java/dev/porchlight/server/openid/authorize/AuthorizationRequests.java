// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.authorize;

import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.dpop.JWKThumbprintConfirmation;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.OIDCClaimsRequest;
import com.nimbusds.openid.connect.sdk.Prompt;
import com.nimbusds.openid.connect.sdk.claims.ClaimsSetRequest;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.openid.authorize.SignInRequest.Target;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.grant.CodeRequest;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.openid.protocol.RefusedException;
import dev.porchlight.server.openid.token.OpenIdTokens;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Validates authorization requests. Thread-safe. */
public final class AuthorizationRequests {
    private static final String FORM = "form_post";
    private static final String S256 = "[A-Za-z0-9_-]{43}";

    private static final Pattern USER_NAME = Pattern.compile(".{1,256}");

    /** Our rules, stricter than those of the SDK, in this order. */
    private static final List<Rule> RULES = List.of(
            Rule.required("response_type", "code", "code", Reason.UNSUPPORTED_RESPONSE_TYPE),
            Rule.optional("response_mode", "query|" + FORM, "query or form_post", Reason.UNSUPPORTED_RESPONSE_MODE),
            Rule.required("scope", "(.* )?openid( .*)?", "openid", Reason.MISSING_OPENID_SCOPE),
            Rule.optional("code_challenge", S256, "43 characters of base64url", Reason.MISSING_PKCE),
            Rule.optional("code_challenge_method", "S256", "S256", Reason.MISSING_PKCE),
            Rule.optional(
                    "prompt",
                    "none|(login|consent|select_account)( (login|consent|select_account)){0,9}",
                    "none, or some of login, consent, select_account",
                    Reason.INVALID_PROMPT),
            Rule.optional("max_age", "\\d{1,9}", "a number of seconds", Reason.INVALID_MAX_AGE),
            // RFC 6749 allows VSCHAR. The sealed request must fit in a URL.
            Rule.optional("state", "[ -~]{1,1024}", "at most 1024 characters of ASCII", Reason.MALFORMED_REQUEST),
            Rule.optional("nonce", "[ -~]{1,255}", "at most 255 characters of ASCII", Reason.MALFORMED_REQUEST),
            Rule.optional("login_hint", ".{1,256}", "at most 256 characters", Reason.MALFORMED_REQUEST),
            Rule.optional("dpop_jkt", S256, "43 characters of base64url", Reason.MALFORMED_REQUEST));

    private final Clients clients;
    private final OpenIdTokens tokens;
    private final Sql sql;
    private final InstantSource clock;

    public AuthorizationRequests(Clients clients, OpenIdTokens tokens, Sql sql, InstantSource clock) {
        this.clients = clients;
        this.tokens = tokens;
        this.sql = sql;
        this.clock = clock;
    }

    /** The form that a parameter must have. */
    private record Rule(String parameter, boolean needed, Pattern form, String expected, Reason reason) {
        static Rule required(String parameter, String form, String expected, Reason reason) {
            return new Rule(parameter, true, Pattern.compile(form), expected, reason);
        }

        static Rule optional(String parameter, String form, String expected, Reason reason) {
            return new Rule(parameter, false, Pattern.compile(form), expected, reason);
        }

        void check(Parameters parameters) throws RefusedException {
            String value = parameters.get(parameter);
            if (value == null ? needed : !form.matcher(value).matches()) {
                throw reason.refused(parameter, expected, value);
            }
        }
    }

    /**
     * Finds the client. Until it and the redirect URI are known to belong together, no error may be sent to the URI.
     *
     * @throws RefusedException for an error that only the user may see
     */
    Client client(Parameters parameters) throws RefusedException {
        String clientId = parameters.single("client_id");
        Client client = clientId == null ? null : clients.find(clientId);
        if (client == null) {
            String redirectUri = parameters.get("redirect_uri");
            String found = clientId == null || redirectUri == null
                    ? clientId
                    : clientId + ", with the redirect URI " + redirectUri;
            throw Reason.UNKNOWN_CLIENT.refused("client_id", "the id of a registered client", found);
        }
        return client;
    }

    /** The redirect URI of a client, with the state. */
    Target target(Client client, Parameters parameters) throws RefusedException {
        String redirectUri = parameters.single("redirect_uri");
        if (redirectUri == null || !client.accepts(redirectUri)) {
            String expected = String.join(" or ", client.settings().redirectUris());
            throw Reason.REDIRECT_URI_MISMATCH.refused("redirect_uri", expected, redirectUri);
        }
        return new Target(
                client.id(),
                redirectUri,
                parameters.isRepeated("state") ? null : parameters.get("state"),
                FORM.equals(responseMode(parameters)));
    }

    /** Also from a request object: it is refused, and its client may wait for the refusal as a form. */
    private static @Nullable String responseMode(Parameters parameters) {
        String object = parameters.get("request");
        try {
            return object == null
                    ? parameters.get("response_mode")
                    : PlainJWT.parse(object).getJWTClaimsSet().getStringClaim("response_mode");
        } catch (java.text.ParseException e) {
            return null;
        }
    }

    /** Validates the rest of a request. The client is to receive its refusal. */
    SignInRequest validate(Client client, Target target, Parameters parameters) throws RefusedException {
        parameters.requireSingle();
        if (parameters.get("request") != null) {
            throw Reason.REQUEST_OBJECT_NOT_SUPPORTED.refused("request", "no request object", "a request object");
        }
        for (Rule rule : RULES) {
            rule.check(parameters);
        }
        boolean challenge = parameters.get("code_challenge") != null;
        if (client.needsPkce() && !challenge || challenge != (parameters.get("code_challenge_method") != null)) {
            throw Reason.MISSING_PKCE.refused("code_challenge", "code_challenge and code_challenge_method=S256", null);
        }
        AuthenticationRequest request = parse(parameters);
        List<String> scopes = request.getScope().toStringList();
        Prompt prompt = request.getPrompt() == null ? new Prompt() : request.getPrompt();
        JWKThumbprintConfirmation key = request.getDPoPJWKThumbprintConfirmation();
        Long maxAge = request.getMaxAge() < 0 ? null : Long.valueOf(request.getMaxAge());
        JWT hint = request.getIDTokenHint();
        String expectedUser = expectedUser(target.clientId(), hint, request.getOIDCClaims());
        // The page suggests no user of a subject in the claims: anyone who learned one could look up the name.
        String suggested =
                hint == null || expectedUser == null || expectedUser.isEmpty() ? request.getLoginHint() : expectedUser;
        return new SignInRequest(
                UUID.randomUUID().toString(),
                target.clientId(),
                new CodeRequest(
                        target.redirectUri(),
                        challenge ? request.getCodeChallenge().getValue() : null,
                        scopes.stream().filter(OpenIdTokens.SCOPES::contains).toList(),
                        request.getNonce() == null ? null : request.getNonce().getValue(),
                        key == null ? null : key.getValue().toString()),
                target.state(),
                target.byForm(),
                false,
                new SignInRequest.Login(
                        prompt.contains(Prompt.Type.NONE),
                        prompt.contains(Prompt.Type.LOGIN) || request.getMaxAge() == 0,
                        prompt.contains(Prompt.Type.SELECT_ACCOUNT),
                        prompt.contains(Prompt.Type.CONSENT),
                        maxAge,
                        suggested,
                        expectedUser),
                null,
                clock.millis());
    }

    private static AuthenticationRequest parse(Parameters parameters) throws RefusedException {
        try {
            return AuthenticationRequest.parse(parameters.toMap());
        } catch (ParseException | IllegalArgumentException e) {
            String message = e.getMessage() == null ? "" : e.getMessage();
            throw Reason.MALFORMED_REQUEST.refused("", "an OpenID Connect authentication request", message);
        }
    }

    /** The user that the client asks for, by an ID token or by the claim {@code sub}; empty for an unknown one, null for any. */
    private @Nullable String expectedUser(String clientId, @Nullable JWT hint, @Nullable OIDCClaimsRequest claims)
            throws RefusedException {
        Set<String> expected = new HashSet<>();
        if (hint != null) {
            JWTClaimsSet token = tokens.hint(hint);
            if (token == null || !token.getAudience().equals(List.of(clientId))) {
                throw Reason.INVALID_ID_TOKEN_HINT.refused(
                        "id_token_hint", "an ID token of this client", "another token");
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
                throw Reason.INVALID_SUBJECT.refused("claims", "one value of sub", "several values");
            }
            String value =
                    subject.getRawValue() == null ? null : subject.getRawValue().toString();
            if (value != null && !USER_NAME.matcher(value).matches()) {
                throw Reason.INVALID_SUBJECT.refused("claims", "at most 256 characters of sub", value);
            }
            if (value != null) {
                expected.add(value);
            }
        }
        if (expected.size() > 1) {
            throw Reason.INVALID_SUBJECT.refused("claims", "one user", "several users");
        }
        return expected.isEmpty()
                ? null
                : Objects.requireNonNullElse(
                        SqlUsers.ofSubject(sql, expected.iterator().next()), "");
    }
}
