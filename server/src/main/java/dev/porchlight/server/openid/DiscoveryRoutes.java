// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import com.nimbusds.jose.JWSAlgorithm;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.openid.client.ClientAuthenticator;
import dev.porchlight.server.openid.client.ClientEndpoints;
import dev.porchlight.server.openid.token.DpopProofs;
import dev.porchlight.server.openid.token.UserClaims;
import java.util.Collection;
import java.util.List;

/** The metadata of the provider, as OpenID Connect Discovery has it and for OAuth clients (RFC 8414). */
final class DiscoveryRoutes {
    private static final String CLAIMS = "sub iss aud exp iat auth_time nonce acr amr sid groups " + UserClaims.NAMES;

    private final ClientEndpoints endpoints;

    DiscoveryRoutes(ClientEndpoints endpoints) {
        this.endpoints = endpoints;
    }

    void mount(Router.Builder router) {
        router.get("/.well-known/openid-configuration", Access.PUBLIC, this::metadata);
        router.get("/.well-known/oauth-authorization-server", Access.PUBLIC, this::metadata);
    }

    private Response metadata(Exchange exchange) throws ProblemException {
        endpoints.requireClients();
        return Response.json(200, this::write)
                .with("Cache-Control", "public, max-age=300")
                .with("Access-Control-Allow-Origin", "*")
                .with("Cross-Origin-Resource-Policy", "cross-origin");
    }

    private void write(JsonWriter json) {
        String issuer = endpoints.issuer();
        json.text("issuer", issuer)
                .text("authorization_endpoint", issuer + "/oauth2/authorize")
                .text("token_endpoint", issuer + "/oauth2/token")
                .text("userinfo_endpoint", issuer + "/oauth2/userinfo")
                .text("revocation_endpoint", issuer + "/oauth2/revoke")
                .text("end_session_endpoint", issuer + "/oauth2/logout")
                .text("pushed_authorization_request_endpoint", issuer + "/oauth2/par")
                .text("jwks_uri", issuer + "/.well-known/jwks.json");
        list(json, "scopes", "openid profile email groups offline_access");
        list(json, "response_types", "code");
        list(json, "response_modes", "query form_post");
        list(json, "grant_types", "authorization_code refresh_token");
        list(json, "subject_types", "public");
        list(json, "prompt_values", "none login consent select_account");
        list(json, "acr_values", "phr phrh");
        list(json, "claim_types", "normal");
        list(json, "claims", CLAIMS);
        list(json, "code_challenge_methods", "S256");
        algorithms(json, "id_token", List.of(JWSAlgorithm.ES256, JWSAlgorithm.RS256));
        algorithms(json, "dpop", DpopProofs.ALGORITHMS);
        for (String endpoint : List.of("token_endpoint_auth", "revocation_endpoint_auth")) {
            list(json, endpoint + "_methods", "client_secret_basic client_secret_post private_key_jwt none");
            algorithms(json, endpoint, ClientAuthenticator.ASSERTION_ALGORITHMS);
        }
        json.bool("authorization_response_iss_parameter_supported", true)
                .bool("backchannel_logout_supported", true)
                .bool("backchannel_logout_session_supported", true)
                .bool("request_uri_parameter_supported", false);
    }

    private static void algorithms(JsonWriter json, String what, Collection<JWSAlgorithm> algorithms) {
        String names =
                String.join(" ", algorithms.stream().map(JWSAlgorithm::getName).toList());
        list(json, what + "_signing_alg_values", names);
    }

    private static void list(JsonWriter json, String name, String values) {
        json.texts(name + "_supported", List.of(values.split(" ", -1)));
    }
}
