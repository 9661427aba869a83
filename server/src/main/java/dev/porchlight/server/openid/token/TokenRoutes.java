// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.token;

import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import dev.porchlight.base.Bytes;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.client.ClientEndpoints;
import dev.porchlight.server.openid.grant.Authorization;
import dev.porchlight.server.openid.grant.Authorizations;
import dev.porchlight.server.openid.grant.Authorizations.AccessGrant;
import dev.porchlight.server.openid.grant.Authorizations.Redemption;
import dev.porchlight.server.openid.grant.TokenKind;
import dev.porchlight.server.openid.protocol.OpenIdTelemetry.Endpoint;
import dev.porchlight.server.openid.protocol.Parameters;
import dev.porchlight.server.openid.protocol.Refusal;
import dev.porchlight.server.openid.protocol.Refusal.Reason;
import dev.porchlight.server.openid.protocol.RefusedException;
import dev.porchlight.server.openid.token.DpopProofs.Proof;
import dev.porchlight.server.storage.Units;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The token endpoint, which exchanges codes and refresh tokens of a client for tokens, and the revocation endpoint. */
public final class TokenRoutes {
    private static final String PATH = "/oauth2/token";

    private final ClientEndpoints endpoints;
    private final Authorizations authorizations;
    private final OpenIdTokens tokens;
    private final DpopProofs proofs;
    private final UserClaims users;
    private final Units units;

    public TokenRoutes(
            ClientEndpoints endpoints,
            Authorizations authorizations,
            OpenIdTokens tokens,
            DpopProofs proofs,
            UserClaims users,
            Units units) {
        this.endpoints = endpoints;
        this.authorizations = authorizations;
        this.tokens = tokens;
        this.proofs = proofs;
        this.users = users;
        this.units = units;
    }

    public void mount(Router.Builder router) {
        endpoints.mount(router, PATH, Endpoint.TOKEN, this::issue);
        endpoints.mount(router, "/oauth2/revoke", Endpoint.REVOKE, this::revoke);
    }

    /**
     * RFC 7009: ends the sign-in that the token belongs to. Unknown tokens are not an error. A client that lost the response to
     * a refresh has only the token before, but who finds that of a public client in a log must not end a sign-in with it.
     */
    private Response revoke(Exchange exchange, Client client, Parameters parameters) throws RefusedException {
        String token = parameters.required("token");
        Authorization refreshed = authorizations.ofRefreshToken(token, !client.isPublic());
        AccessGrant granted = refreshed == null ? authorizations.access(tokens.accessToken(token)) : null;
        Authorization authorization = granted == null ? refreshed : granted.authorization();
        if (authorization != null && authorization.clientId().equals(client.id())) {
            authorizations.end(authorization.id());
        }
        return Response.of(200);
    }

    private Response issue(Exchange exchange, Client client, Parameters parameters)
            throws RefusedException, ProblemException {
        String grantType = parameters.get("grant_type");
        TokenKind kind = TokenKind.ofGrantType(grantType);
        if (kind == null) {
            throw Reason.UNSUPPORTED_GRANT_TYPE.refused("grant_type", "authorization_code or refresh_token", grantType);
        }
        String token = parameters.required(kind.parameter());
        requireGenuine(exchange, client, token, kind);
        Proof proof = proofs.announced(exchange.headers(DpopProofs.HEADER), PATH);
        String thumbprint = proof == null ? null : proof.thumbprint();
        Redemption redemption = units.commit(
                "redeem a token",
                connection -> authorizations.redeem(connection, token, kind, thumbprint, (it, itsClient) -> {
                    Refusal refusal = mismatch(it, itsClient, client.id(), kind, parameters, thumbprint);
                    // Last, so that a refused request stores nothing: anyone can send one for a public client.
                    return refusal == null && proof != null ? proof.use(connection) : refusal;
                }));
        Authorization authorization = redemption.authorization();
        if (redemption.refusal() != null) {
            throw new RefusedException(redemption.refusal(), authorization == null ? "" : authorization.userId());
        }
        Client present = Objects.requireNonNull(redemption.client());
        return response(present, Objects.requireNonNull(authorization), kind, redemption.refreshToken());
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

    /** Why a request of the client with this id is not entitled to an authorization, or null. */
    private static @Nullable Refusal mismatch(
            Authorization authorization,
            Client client,
            String clientId,
            TokenKind kind,
            Parameters parameters,
            @Nullable String thumbprint) {
        if (!client.id().equals(clientId)) {
            String one = kind == TokenKind.CODE ? "a code for " : "a token for ";
            return Reason.CODE_CLIENT_MISMATCH.of(kind.parameter(), one + clientId, one + "another client");
        }
        Refusal refusal = kind == TokenKind.CODE ? codeRefusal(authorization, parameters) : null;
        return refusal == null ? proofRefusal(authorization, client, kind, thumbprint) : refusal;
    }

    private Response response(Client client, Authorization authorization, TokenKind kind, String refreshToken) {
        UserClaims.Known user = users.of(client, authorization, null);
        String nonce = kind == TokenKind.CODE ? authorization.request().nonce() : null;
        return Response.json(
                200,
                json -> json.text("access_token", tokens.accessToken(client, authorization, user.groups()))
                        .text("token_type", authorization.request().dpopThumbprint() == null ? "Bearer" : "DPoP")
                        .number("expires_in", tokens.lifetime().toSeconds())
                        .text("refresh_token", refreshToken)
                        .text("id_token", tokens.idToken(client, authorization, user, nonce))
                        .text("scope", String.join(" ", authorization.request().scopes())));
    }

    /**
     * A sign-in that is bound to a key needs a proof each time. The refresh token of a confidential client is bound to that
     * client, which may use another key from then on (RFC 9449, section 5).
     */
    private static @Nullable Refusal proofRefusal(
            Authorization authorization, Client client, TokenKind kind, @Nullable String thumbprint) {
        String bound = authorization.request().dpopThumbprint();
        if (thumbprint == null) {
            return bound == null && !client.settings().rules().dpop()
                    ? null
                    : Reason.INVALID_DPOP_PROOF.of("DPoP", "a proof", "none");
        }
        boolean mayChange = kind == TokenKind.REFRESH_TOKEN && !client.isPublic();
        return bound == null || mayChange || bound.equals(thumbprint)
                ? null
                : Reason.INVALID_DPOP_PROOF.of("DPoP", "a proof with the key of the sign-in", "another key");
    }

    private static @Nullable Refusal codeRefusal(Authorization authorization, Parameters parameters) {
        String redirectUri = parameters.get("redirect_uri");
        if (!authorization.request().redirectUri().equals(redirectUri)) {
            return Reason.CODE_REDIRECT_MISMATCH.of(
                    "redirect_uri", authorization.request().redirectUri(), redirectUri);
        }
        String verifier = parameters.get("code_verifier");
        return matches(authorization.request().codeChallenge(), verifier)
                ? null
                : Reason.PKCE_MISMATCH.of(
                        "code_verifier", "the verifier of the code challenge", verifier == null ? null : "another");
    }

    /** A verifier without a challenge is refused too: someone may have removed the challenge on the way. */
    private static boolean matches(@Nullable String challenge, @Nullable String verifier) {
        if (challenge == null || verifier == null) {
            return challenge == null && verifier == null;
        }
        try {
            var computed = CodeChallenge.compute(CodeChallengeMethod.S256, new CodeVerifier(verifier));
            return Bytes.ofUtf8(computed.getValue()).equalsInConstantTime(Bytes.ofUtf8(challenge));
        } catch (IllegalArgumentException e) {
            return false; // too short, too long or with other characters
        }
    }
}
