// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** How clients prove who they are: secrets, keys, bound tokens, and what public clients may do. */
class OpenIdClientAuthenticationTest extends OpenIdFixture {
    @Test
    void a_refused_redemption_of_a_public_client_stores_no_proof() throws Exception {
        OpenIdClient app = OpenIdClient.register(service.admin(), ",\"public\":true");
        Map<String, String> request = app.redeeming(app.code(signedIn()));
        String verifier = request.put("code_verifier", "x".repeat(43));
        ECKey key = new ECKeyGenerator(Curve.P_256).generate();
        String proof = proof(key, "POST", "/oauth2/token", null);
        int rows = service.rows("porchlight_openid_used").size();

        app.post(app.web().with("DPoP", proof), "/oauth2/token", request).expect(400);

        assertThat(service.rows("porchlight_openid_used")).hasSize(rows);
        request.put("code_verifier", verifier);
        app.post(app.web().with("DPoP", proof), "/oauth2/token", request).expect(200);
        assertThat(service.rows("porchlight_openid_used")).hasSize(rows + 1);
    }

    @Test
    void a_wrong_secret_and_an_unknown_client_get_the_same_response() {
        TestResponse wrong = client.post(
                service.web()
                        .with("Authorization", "Basic " + com.nimbusds.jose.util.Base64.encode(client.id() + ":x")),
                "/oauth2/token",
                Map.of("grant_type", "refresh_token", "refresh_token", "x"));
        TestResponse unknown = client.post(
                service.web().with("Authorization", "Basic " + com.nimbusds.jose.util.Base64.encode("unknown:x")),
                "/oauth2/token",
                Map.of("grant_type", "refresh_token", "refresh_token", "x"));

        assertThat(withoutSupportCode(wrong)).isEqualTo(withoutSupportCode(unknown));
        assertThat(wrong.header("WWW-Authenticate")).startsWith("Basic");
        assertThat(service.logs()).doesNotContain(client.secret());
    }

    private static String withoutSupportCode(TestResponse refused) {
        return refused.expect(401).body().replaceFirst("[0-9A-Z]{2}-[0-9A-Z]{3}", "CODE");
    }

    @Test
    void a_confidential_client_cannot_omit_its_secret() {
        String code = client.code(signedIn());

        client.post(
                        service.web(),
                        "/oauth2/token",
                        Map.of(
                                "grant_type",
                                "authorization_code",
                                "client_id",
                                client.id(),
                                "code",
                                code,
                                "redirect_uri",
                                CALLBACK,
                                "code_verifier",
                                OpenIdClient.VERIFIER))
                .expect(401);
    }

    @Test
    void the_name_of_the_scheme_has_no_case_and_two_methods_are_refused() throws Exception {
        String basic = OpenIdClient.basic(client.id(), client.secret()).replace("Basic", "BASIC");
        Map<String, String> refresh = OpenIdClient.refreshing("x");
        client.post(service.web().with("Authorization", basic), "/oauth2/token", refresh)
                .expect(400);

        refresh.put("client_id", client.id());
        refresh.put("client_secret", client.secret());
        client.post(service.web(), "/oauth2/token", refresh).expect(400);
        client.post(service.web().with("Authorization", basic), "/oauth2/token", refresh)
                .expect(401);
        refresh.put("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
        ECKey key = new ECKeyGenerator(Curve.P_256).generate();
        refresh.put(
                "client_assertion", assertion(client.id(), key, service.clock().instant()));
        client.post(service.web(), "/oauth2/token", refresh).expect(401);
    }

    @Test
    void a_rotated_secret_replaces_the_old_one() {
        OpenIdClient rotated = OpenIdClient.register(service.admin(), "");
        service.admin()
                .post("/admin/clients/" + rotated.id() + "/rotate-secret")
                .expect(200);

        rotated.refresh("x").expect(401);
    }

    @Test
    void a_public_client_uses_any_loopback_port_and_reads_responses_from_its_page() {
        OpenIdClient spa = OpenIdClient.register(
                service.admin(),
                ",\"public\":true,\"redirectUris\":[\"http://127.0.0.1/cb\",\"https://spa.example/cb\"]");
        Map<String, String> request = spa.request();
        request.put("redirect_uri", "http://127.0.0.1:51000/cb");
        assertThat(spa.begin(request)).isNotEmpty();
        request.put("redirect_uri", "http://localhost:51000/cb");
        spa.authorize(request).expect(400);

        TestResponse response = spa.post(
                service.web().with("Origin", "https://spa.example"),
                "/oauth2/token",
                Map.of("grant_type", "refresh_token", "refresh_token", "x"));
        assertThat(response.header("Access-Control-Allow-Origin")).isEqualTo("https://spa.example");
        TestResponse foreign = spa.post(
                service.web().with("Origin", "https://evil.example"),
                "/oauth2/token",
                Map.of("grant_type", "refresh_token", "refresh_token", "x"));
        assertThat(foreign.header("Access-Control-Allow-Origin")).isNull();
        assertThat(List.of("https://spa.example", "https://evil.example"))
                .extracting(origin -> service.web()
                        .with("Origin", origin)
                        .bearer("expired")
                        .get("/oauth2/userinfo")
                        .expect(401)
                        .header("Access-Control-Allow-Origin"))
                .containsExactly("https://spa.example", null);
    }

    @Test
    void a_pushed_request_signs_in() {
        String requestUri = pushed();
        OpenIdClient other = OpenIdClient.register(service.admin(), "");
        other.authorize(Map.of("client_id", other.id(), "request_uri", requestUri))
                .expect(400);

        String location = client.authorize(Map.of("client_id", client.id(), "request_uri", requestUri))
                .expect(303)
                .header("Location");

        assertThat(location).startsWith("/?request=");
        assertThat(client.signIn(signedIn(), Map.of("client_id", client.id(), "request_uri", pushed())))
                .containsKey("code");
        String late = pushed();
        service.clock().advance(Duration.ofSeconds(61));
        client.authorize(Map.of("client_id", client.id(), "request_uri", late)).expect(400);
    }

    @Test
    void a_pushed_request_can_be_loaded_again_until_it_yields_its_code() {
        String requestUri = pushed();
        Map<String, String> request = Map.of("client_id", client.id(), "request_uri", requestUri);
        Web browser = signedIn();
        String first = client.begin(request);
        String reloaded = client.begin(request);

        assertThat(OpenIdClient.response(OpenIdClient.proceed(browser, reloaded).expect(303)))
                .containsKey("code");
        OpenIdClient.proceed(browser, first).expect(400);
        OpenIdClient.proceed(browser, reloaded).expect(400);

        // The last character has bits that a decoder may ignore.
        String respelled = requestUri.substring(0, requestUri.length() - 1);
        for (char last : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".toCharArray()) {
            client.authorize(Map.of("client_id", client.id(), "request_uri", respelled + last))
                    .expect(400);
        }
    }

    private static String pushed() {
        return client.post(client.authenticated(), "/oauth2/par", client.request())
                .expect(201)
                .json()
                .string("request_uri");
    }

    @Test
    void a_client_authenticates_with_its_key_once_per_assertion() throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("k1").generate();
        String jwks = new JWKSet(key).toPublicJWKSet().toString();
        OpenIdClient signing = OpenIdClient.register(service.admin(), ",\"jwks\":" + jwks);
        assertThat(service.admin()
                        .get("/admin/clients/" + signing.id())
                        .expect(200)
                        .json()
                        .object("jwks")
                        .objects("keys"))
                .extracting(published -> published.string("kid"))
                .containsExactly("k1");
        String code = signing.code(signedIn());
        Map<String, String> request = signing.redeeming(code);
        request.put("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
        request.put(
                "client_assertion", assertion(signing.id(), key, service.clock().instant()));

        signing.post(service.web(), "/oauth2/token", request).expect(200);
        signing.post(service.web(), "/oauth2/token", request).expect(401);
    }

    static String assertion(String clientId, ECKey key, Instant now) throws Exception {
        var claims = new JWTClaimsSet.Builder()
                .issuer(clientId)
                .subject(clientId)
                .audience("http://localhost")
                .expirationTime(Date.from(now.plusSeconds(60)))
                .jwtID(UUID.randomUUID().toString())
                .build();
        var token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("k1").build(), claims);
        token.sign(new ECDSASigner(key));
        return token.serialize();
    }

    @Test
    void tokens_bound_to_a_key_need_a_proof_of_it() throws Exception {
        OpenIdClient spa = OpenIdClient.register(service.admin(), ",\"public\":true");
        ECKey key = new ECKeyGenerator(Curve.P_256).generate();
        String code = spa.code(signedIn());
        JsonObject tokens = spa.post(
                        service.web().with("DPoP", proof(key, "POST", "/oauth2/token", null)),
                        "/oauth2/token",
                        spa.redeeming(code))
                .expect(200)
                .json();
        String access = tokens.string("access_token");

        assertThat(tokens.string("token_type")).isEqualTo("DPoP");
        assertThat(challenge(spa.userinfo(access)))
                .startsWith("DPoP error=\"invalid_token\"")
                .endsWith("algs=\"ES256\"");
        String proof = proof(key, "GET", "/oauth2/userinfo", access);
        Web bound = service.web().with("Authorization", "DPoP " + access);
        bound.with("DPoP", proof).get("/oauth2/userinfo").expect(200);
        assertThat(challenge(bound.with("DPoP", proof).get("/oauth2/userinfo")))
                .startsWith("DPoP error=\"invalid_dpop_proof\"");
        assertThat(challenge(service.web().with("Authorization", "DPoP x").get("/oauth2/userinfo")))
                .startsWith("DPoP error=\"invalid_token\"");
        assertThat(challenge(spa.userinfo("x"))).startsWith("Bearer error=\"invalid_token\"");
        String unbound =
                client.redeem(client.code(signedIn())).expect(200).json().string("access_token");
        assertThat(challenge(
                        service.web().with("Authorization", "DPoP " + unbound).get("/oauth2/userinfo")))
                .startsWith("Bearer error=\"invalid_token\"");
        assertThat(challenge(service.web().get("/oauth2/userinfo"))).isEqualTo("Bearer, DPoP algs=\"ES256\"");
        ECKey other = new ECKeyGenerator(Curve.P_256).generate();
        bound.with("DPoP", proof(other, "GET", "/oauth2/userinfo", access))
                .get("/oauth2/userinfo")
                .expect(401);
    }

    private static String challenge(TestResponse refused) {
        return refused.expect(401).header("WWW-Authenticate");
    }

    @Test
    void a_proof_that_comes_with_a_pushed_request_binds_the_code() throws Exception {
        OpenIdClient spa = OpenIdClient.register(service.admin(), ",\"public\":true");
        ECKey key = new ECKeyGenerator(Curve.P_256).generate();
        Web web = service.web().with("DPoP", proof(key, "POST", "/oauth2/par", null));
        Map<String, String> other = spa.request();
        other.put(
                "dpop_jkt",
                new ECKeyGenerator(Curve.P_256).generate().computeThumbprint().toString());
        spa.post(web, "/oauth2/par", other).expect(400);
        String requestUri =
                spa.post(web, "/oauth2/par", spa.request()).expect(201).json().string("request_uri");
        Map<String, String> pushed = Map.of("client_id", spa.id(), "request_uri", requestUri);

        String code = spa.signIn(signedIn(), pushed).get("code");

        assertThat(spa.redeem(code).expect(400).json().string("code")).isEqualTo("invalid_dpop_proof");
    }

    static String proof(ECKey key, String method, String path, String accessToken) throws Exception {
        return proof(
                key,
                method,
                URI.create("http://localhost" + path),
                service.clock().instant(),
                accessToken);
    }

    static String proof(ECKey key, String method, URI uri, Instant now, String accessToken) throws Exception {
        String hash = accessToken == null ? null : Octets.base64Url(Octets.sha256(Octets.utf8(accessToken)));
        return proof(
                key,
                claims -> claims.issueTime(Date.from(now))
                        .claim("htm", method)
                        .claim("htu", uri.toString())
                        .claim("ath", hash));
    }

    static String proof(ECKey key, UnaryOperator<JWTClaimsSet.Builder> content) throws Exception {
        var claims =
                content.apply(new JWTClaimsSet.Builder().jwtID(UUID.randomUUID().toString()));
        var header = new JWSHeader.Builder(JWSAlgorithm.ES256)
                .type(new JOSEObjectType("dpop+jwt"))
                .jwk(key.toPublicJWK())
                .build();
        var token = new SignedJWT(header, claims.build());
        token.sign(new ECDSASigner(key));
        return token.serialize();
    }
}
