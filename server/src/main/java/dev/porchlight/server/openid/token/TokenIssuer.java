// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.token;

import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.openid.client.Groups;
import dev.porchlight.server.openid.grant.Authorization;
import dev.porchlight.server.openid.grant.Authorizations;
import dev.porchlight.server.openid.grant.Authorizations.Redemption;
import dev.porchlight.server.openid.grant.TokenKind;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.Refusal;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.openid.protocol.RefusedException;
import dev.porchlight.server.storage.Units;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Exchanges codes and refresh tokens of an authenticated client for tokens. Thread-safe. */
final class TokenIssuer {
    static final String PATH = "/oauth2/token";

    private final Authorizations authorizations;
    private final OpenIdTokens tokens;
    private final DpopProofs proofs;
    private final Groups groups;
    private final Units units;

    TokenIssuer(Authorizations authorizations, OpenIdTokens tokens, DpopProofs proofs, Groups groups, Units units) {
        this.authorizations = authorizations;
        this.tokens = tokens;
        this.proofs = proofs;
        this.groups = groups;
        this.units = units;
    }

    Response issue(Exchange exchange, Client client, Parameters parameters) throws RefusedException, ProblemException {
        String grantType = parameters.get("grant_type");
        if ("authorization_code".equals(grantType)) {
            return redeem(exchange, client, parameters, TokenKind.CODE, it -> codeRefusal(it, client, parameters));
        }
        if ("refresh_token".equals(grantType)) {
            return redeem(exchange, client, parameters, TokenKind.REFRESH_TOKEN, it -> clientRefusal(it, client));
        }
        throw Reason.UNSUPPORTED_GRANT_TYPE.refused("grant_type", "authorization_code or refresh_token", grantType);
    }

    /**
     * Refuses forged tokens before anything is stored for the request. Anyone can name a public client, so its requests count
     * for the user, before the token is used up; those with a token of an ended sign-in count for the address.
     */
    private void requireGenuine(Exchange exchange, Client client, String token, TokenKind kind)
            throws RefusedException, ProblemException {
        if (!authorizations.isGenuine(token)) {
            throw new RefusedException(kind.invalid("another text"));
        }
        if (client.isPublic()) {
            Authorization authorization = authorizations.peek(token);
            if (authorization == null) {
                throw new RefusedException(kind.invalid("one of a sign-in that has ended"));
            }
            exchange.authenticated(authorization.userId());
        }
    }

    /** A redemption, with the client as it was then. */
    private record Result(Redemption redemption, Client client) {}

    private Response redeem(
            Exchange exchange,
            Client authenticated,
            Parameters parameters,
            TokenKind kind,
            Function<Authorization, @Nullable Refusal> check)
            throws RefusedException, ProblemException {
        String token = parameters.required(kind.parameter());
        requireGenuine(exchange, authenticated, token, kind);
        String thumbprint = proofs.thumbprint(exchange.headers(DpopProofs.HEADER), PATH);
        Result result = units.commit("redeem a token", connection -> {
            // Read again: it may have been changed or removed since it was authenticated.
            Client client = Clients.find(connection, authenticated.id());
            if (client == null) {
                return new Result(Redemption.refused(kind.invalid("one of a removed client"), null), authenticated);
            }
            Redemption redemption = authorizations.redeem(
                    connection, token, kind, client.settings().refreshLifetime(), thumbprint, (same, it) -> {
                        Refusal refusal = check.apply(it);
                        return refusal == null ? refusal(same, client, it, thumbprint) : refusal;
                    });
            return new Result(redemption, client);
        });
        Client client = result.client();
        Redemption redemption = result.redemption();
        Authorization authorization = redemption.authorization();
        if (redemption.refusal() != null) {
            throw new RefusedException(redemption.refusal(), authorization == null ? "" : authorization.userId());
        }
        Objects.requireNonNull(authorization);
        List<String> memberOf =
                authorization.hasScope(OpenIdTokens.GROUPS) ? groups.of(authorization.userId()) : List.of();
        String nonce = kind == TokenKind.CODE ? authorization.request().nonce() : null;
        return Response.json(
                200,
                json -> json.text("access_token", tokens.accessToken(client, authorization, memberOf))
                        .text("token_type", authorization.request().dpopThumbprint() == null ? "Bearer" : "DPoP")
                        .number("expires_in", tokens.lifetime().toSeconds())
                        .text("refresh_token", redemption.refreshToken())
                        .text("id_token", tokens.idToken(client, authorization, memberOf, nonce))
                        .text("scope", String.join(" ", authorization.request().scopes())));
    }

    /** Why the sign-in of a genuine code or token has ended, or null. One that is bound to a key needs a proof each time. */
    private static @Nullable Refusal refusal(
            Connection connection, Client client, Authorization authorization, @Nullable String thumbprint)
            throws SQLException {
        String bound = authorization.request().dpopThumbprint();
        if (bound != null && !bound.equals(thumbprint)) {
            return Reason.INVALID_DPOP_PROOF.of("DPoP", "a proof with the key of the sign-in", "another key");
        }
        Refusal ended = authorization.refusal(client);
        return ended == null ? Groups.refusal(connection, client, authorization.userId(), Reason.LEFT_GROUP) : ended;
    }

    private static @Nullable Refusal codeRefusal(Authorization authorization, Client client, Parameters parameters) {
        if (!authorization.clientId().equals(client.id())) {
            return Reason.CODE_CLIENT_MISMATCH.of("code", "a code for " + client.id(), "a code for another client");
        }
        String redirectUri = parameters.get("redirect_uri");
        if (!authorization.request().redirectUri().equals(redirectUri)) {
            return Reason.CODE_REDIRECT_MISMATCH.of(
                    "redirect_uri", authorization.request().redirectUri(), redirectUri);
        }
        String verifier = parameters.get("code_verifier");
        return verifier != null && matches(authorization.request().codeChallenge(), verifier)
                ? null
                : Reason.PKCE_MISMATCH.of(
                        "code_verifier", "the verifier of the code challenge", verifier == null ? null : "another");
    }

    private static @Nullable Refusal clientRefusal(Authorization authorization, Client client) {
        return authorization.clientId().equals(client.id())
                ? null
                : Reason.CODE_CLIENT_MISMATCH.of(
                        "refresh_token", "a token for " + client.id(), "a token for another client");
    }

    private static boolean matches(String challenge, String verifier) {
        try {
            String computed = CodeChallenge.compute(CodeChallengeMethod.S256, new CodeVerifier(verifier))
                    .getValue();
            return MessageDigest.isEqual(
                    computed.getBytes(StandardCharsets.US_ASCII), challenge.getBytes(StandardCharsets.US_ASCII));
        } catch (IllegalArgumentException e) {
            return false; // too short, too long or with other characters
        }
    }
}
