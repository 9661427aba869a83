// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.oauth2.sdk.GrantType;
import com.nimbusds.oauth2.sdk.ResponseMode;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.openid.connect.sdk.Prompt;
import com.nimbusds.openid.connect.sdk.SubjectType;
import com.nimbusds.openid.connect.sdk.claims.ACR;
import com.nimbusds.openid.connect.sdk.claims.ClaimType;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.client.ClientAuthenticator;
import dev.porchlight.server.openid.client.OpenIdSwitch;
import dev.porchlight.server.openid.token.DpopProofs;
import dev.porchlight.server.openid.token.OpenIdTokens;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Discovery: {@code /.well-known/openid-configuration}. */
final class DiscoveryRoutes {
    private final OpenIdSwitch openId;
    private final String issuer;
    /** Created when it is first requested, so that the service loads no class of the SDK before. */
    private volatile byte @Nullable [] document;

    DiscoveryRoutes(OpenIdSwitch openId, String issuer) {
        this.openId = openId;
        this.issuer = issuer;
    }

    void mount(Router.Builder router) {
        router.get("/.well-known/openid-configuration", Access.PUBLIC, exchange -> {
            openId.require();
            return dev.porchlight.server.http.Response.json(200, document())
                    .with("Cache-Control", "public, max-age=300")
                    .with("Access-Control-Allow-Origin", "*")
                    .with("Cross-Origin-Resource-Policy", "cross-origin");
        });
    }

    private byte[] document() {
        byte[] known = document;
        if (known == null) {
            String json = metadata(issuer).toString().replace("\\/", "/"); // slashes need no escape
            known = json.getBytes(StandardCharsets.UTF_8);
            document = known;
        }
        return known;
    }

    private static OIDCProviderMetadata metadata(String issuer) {
        var metadata = new OIDCProviderMetadata(
                new Issuer(issuer), List.of(SubjectType.PUBLIC), URI.create(issuer + "/.well-known/jwks.json"));
        metadata.setAuthorizationEndpointURI(URI.create(issuer + "/oauth2/authorize"));
        metadata.setTokenEndpointURI(URI.create(issuer + "/oauth2/token"));
        metadata.setUserInfoEndpointURI(URI.create(issuer + "/oauth2/userinfo"));
        metadata.setRevocationEndpointURI(URI.create(issuer + "/oauth2/revoke"));
        metadata.setEndSessionEndpointURI(URI.create(issuer + "/oauth2/logout"));
        metadata.setPushedAuthorizationRequestEndpointURI(URI.create(issuer + "/oauth2/par"));
        metadata.setResponseTypes(List.of(ResponseType.CODE));
        metadata.setResponseModes(List.of(ResponseMode.QUERY));
        metadata.setGrantTypes(List.of(GrantType.AUTHORIZATION_CODE, GrantType.REFRESH_TOKEN));
        metadata.setScopes(new Scope("openid", "profile", OpenIdTokens.GROUPS, OpenIdTokens.OFFLINE));
        metadata.setCodeChallengeMethods(List.of(CodeChallengeMethod.S256));
        List<ClientAuthenticationMethod> methods = List.of(
                ClientAuthenticationMethod.CLIENT_SECRET_BASIC,
                ClientAuthenticationMethod.CLIENT_SECRET_POST,
                ClientAuthenticationMethod.PRIVATE_KEY_JWT,
                ClientAuthenticationMethod.NONE);
        metadata.setTokenEndpointAuthMethods(methods);
        metadata.setTokenEndpointJWSAlgs(ClientAuthenticator.ASSERTION_ALGORITHMS);
        metadata.setRevocationEndpointAuthMethods(methods); // the default would be client_secret_basic only
        metadata.setRevocationEndpointJWSAlgs(ClientAuthenticator.ASSERTION_ALGORITHMS);
        metadata.setIDTokenJWSAlgs(List.of(JWSAlgorithm.ES256, JWSAlgorithm.RS256));
        metadata.setDPoPJWSAlgs(List.copyOf(DpopProofs.ALGORITHMS));
        metadata.setPromptTypes(
                List.of(Prompt.Type.NONE, Prompt.Type.LOGIN, Prompt.Type.CONSENT, Prompt.Type.SELECT_ACCOUNT));
        metadata.setACRs(List.of(new ACR("phr"), new ACR("phrh")));
        metadata.setClaimTypes(List.of(ClaimType.NORMAL));
        metadata.setClaims(List.of(
                "sub",
                "iss",
                "aud",
                "exp",
                "iat",
                "auth_time",
                "nonce",
                "acr",
                "amr",
                "sid",
                "preferred_username",
                "name",
                OpenIdTokens.GROUPS));
        metadata.setSupportsAuthorizationResponseIssuerParam(true);
        metadata.setSupportsBackChannelLogout(true);
        metadata.setSupportsBackChannelLogoutSession(true);
        metadata.setSupportsRequestURIParam(false);
        return metadata;
    }
}
