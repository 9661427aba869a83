// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.openid.Authorizations.Redeemed;
import dev.porchlight.server.openid.Refusal.Reason;
import dev.porchlight.server.storage.Unit;
import dev.porchlight.server.storage.Units;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Exchanges codes and refresh tokens of an authenticated client for tokens. Thread-safe. */
final class TokenIssuer {
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
            String code = genuine(exchange, client, parameters.required("code"), true);
            String thumbprint = thumbprint(exchange);
            return redeem(client, code, true, thumbprint, (connection, it) -> {
                Refusal refusal = codeRefusal(it, client, parameters);
                return refusal == null ? consentRefusal(connection, it, client) : refusal;
            });
        }
        if ("refresh_token".equals(grantType)) {
            String token = genuine(exchange, client, parameters.required("refresh_token"), false);
            String thumbprint = thumbprint(exchange);
            return redeem(client, token, false, thumbprint, (connection, it) -> clientRefusal(it, client));
        }
        throw new RefusedException(Reason.UNSUPPORTED_GRANT_TYPE.of(
                "grant_type", "authorization_code or refresh_token", grantType == null ? "nothing" : grantType));
    }

    /**
     * Refuses forged tokens before anything is stored for the request. Anyone can name a public client, so its requests count
     * for the user, before the token is used up; those with a token of an ended sign-in count for the address.
     */
    private String genuine(Exchange exchange, Client client, String token, boolean code)
            throws RefusedException, ProblemException {
        if (!authorizations.isGenuine(token)) {
            throw new RefusedException(Refusal.invalid(code, "another text"));
        }
        if (client.isPublic()) {
            Authorization authorization = authorizations.peek(token);
            if (authorization == null) {
                throw new RefusedException(Refusal.invalid(code, "one of a sign-in that has ended"));
            }
            exchange.authenticated(authorization.userId());
        }
        return token;
    }

    private @Nullable String thumbprint(Exchange exchange) throws RefusedException {
        return proofs.thumbprint(exchange.headers(DpopProofs.HEADER), "/oauth2/token");
    }

    private Response redeem(
            Client client, String token, boolean code, @Nullable String thumbprint, Authorizations.Check check)
            throws RefusedException {
        Authorizations.Check all = (connection, authorization) -> {
            Refusal refusal = check.refusal(connection, authorization);
            if (refusal == null && !isBoundTo(authorization, thumbprint)) {
                return Reason.INVALID_DPOP_PROOF.of("DPoP", "a proof with the key of the sign-in", "another key");
            }
            if (refusal == null && !RedirectUri.isRegistered(client, authorization.redirectUri())) {
                String registered = String.join(" or ", client.settings().redirectUris());
                return Reason.ACCESS_ENDED.of("redirect_uri", registered, authorization.redirectUri());
            }
            return refusal == null
                    ? Groups.refusal(connection, client, authorization.userId(), Reason.LEFT_GROUP)
                    : refusal;
        };
        Redeemed redeemed = units.commit("redeem a token", new Unit<Redeemed>() {
            @Override
            public Redeemed write(Connection connection) throws SQLException {
                return authorizations.redeem(
                        connection, token, code, client.settings().refreshLifetime(), thumbprint, all);
            }
        });
        Authorization authorization = redeemed.authorization();
        if (redeemed.refusal() != null) {
            throw new RefusedException(redeemed.refusal(), authorization == null ? "" : authorization.userId());
        }
        Objects.requireNonNull(authorization);
        List<String> memberOf =
                authorization.hasScope(OpenIdTokens.GROUPS) ? groups.of(authorization.userId()) : List.of();
        return Response.json(
                200,
                json -> json.text("access_token", tokens.accessToken(client, authorization, memberOf))
                        .text("token_type", authorization.dpopThumbprint() == null ? "Bearer" : "DPoP")
                        .number("expires_in", tokens.lifetime().toSeconds())
                        .text("refresh_token", redeemed.refreshToken())
                        .text(
                                "id_token",
                                tokens.idToken(client, authorization, memberOf, code ? authorization.nonce() : null))
                        .text("scope", String.join(" ", authorization.scopes())));
    }

    /** A sign-in that is bound to a key needs a proof of it with every token request. */
    private static boolean isBoundTo(Authorization authorization, @Nullable String thumbprint) {
        return authorization.dpopThumbprint() == null
                || authorization.dpopThumbprint().equals(thumbprint);
    }

    private static @Nullable Refusal codeRefusal(Authorization authorization, Client client, Parameters parameters) {
        if (!authorization.clientId().equals(client.id())) {
            return Reason.CODE_CLIENT_MISMATCH.of("code", "a code for " + client.id(), "a code for another client");
        }
        String redirectUri = parameters.get("redirect_uri");
        if (!authorization.redirectUri().equals(redirectUri)) {
            return Reason.CODE_REDIRECT_MISMATCH.of(
                    "redirect_uri", authorization.redirectUri(), redirectUri == null ? "nothing" : redirectUri);
        }
        String verifier = parameters.get("code_verifier");
        return verifier != null && matches(authorization.codeChallenge(), verifier)
                ? null
                : Reason.PKCE_MISMATCH.of(
                        "code_verifier",
                        "the verifier of the code challenge",
                        verifier == null ? "nothing" : "another");
    }

    /** The client may have become a third party's while the code was issued. Later changes end the sign-in themselves. */
    private static @Nullable Refusal consentRefusal(Connection connection, Authorization it, Client client)
            throws SQLException {
        return !client.settings().consent() || Consents.holds(connection, it.userId(), client.id(), it.scopes())
                ? null
                : Reason.ACCESS_ENDED.of("consent", "the user's consent", "none");
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
