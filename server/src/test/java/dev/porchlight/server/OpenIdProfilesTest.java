// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.wire.JsonObject;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.RSAKeyGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** How strict the protocol is with a client: its profile, and what it asked for. */
class OpenIdProfilesTest extends OpenIdFixture {
    private static final ECKey KEY = ecKey();

    private static ECKey ecKey() {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID("k1").generate();
        } catch (com.nimbusds.jose.JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_client_with_the_profile_basic_signs_in_without_pkce() {
        OpenIdClient basic = OpenIdClient.register(service.admin(), ",\"profile\":\"basic\"");
        Map<String, String> request = withoutPkce(basic.request());

        String code = basic.signIn(signedIn(), request).get("code");

        basic.token(withoutVerifier(basic.redeeming(code))).expect(200);
    }

    @Test
    void a_client_with_the_profile_basic_that_sends_pkce_is_held_to_it() {
        OpenIdClient basic = OpenIdClient.register(service.admin(), ",\"profile\":\"basic\"");
        String code = basic.code(signedIn());
        assertThat(refused(basic.token(withoutVerifier(basic.redeeming(code))))).isEqualTo("pkce_mismatch");

        String without = basic.signIn(signedIn(), withoutPkce(basic.request())).get("code");
        assertThat(refused(basic.redeem(without))).isEqualTo("pkce_mismatch");

        Map<String, String> half = basic.request();
        half.remove("code_challenge");
        assertThat(OpenIdClient.response(basic.authorize(half).expect(303))).containsEntry("error", "invalid_request");
    }

    @Test
    void pkce_is_required_of_public_clients_and_by_default() {
        assertThat(OpenIdClient.response(
                        client.authorize(withoutPkce(client.request())).expect(303)))
                .containsEntry("error", "invalid_request");
        assertThat(refusedRegistration("{\"public\":true,\"profile\":\"basic\"}"))
                .contains("PKCE");
        assertThat(refusedRegistration("{\"profile\":\"lax\"}")).contains("default, basic or fapi2");
    }

    @Test
    void a_client_with_the_profile_fapi2_pushes_its_requests_and_binds_its_tokens() throws Exception {
        OpenIdClient fapi = fapi();
        assertThat(OpenIdClient.response(fapi.authorize(fapi.request()).expect(303)))
                .containsEntry("error", "invalid_request");
        String code = fapi.signIn(signedIn(), pushed(fapi)).get("code");

        assertThat(refused(send(fapi, fapi.redeeming(code), null))).isEqualTo("invalid_dpop_proof");
        JsonObject tokens = send(fapi, fapi.redeeming(code), KEY).expect(200).json();

        assertThat(tokens.string("token_type")).isEqualTo("DPoP");
        assertThat(SignedJWT.parse(tokens.string("id_token")).getHeader().getAlgorithm())
                .isEqualTo(JWSAlgorithm.ES256);
    }

    @Test
    void a_client_with_the_profile_fapi2_repeats_a_refresh_whose_response_was_lost_once() throws Exception {
        OpenIdClient fapi = fapi();
        String first = tokens(fapi).string("refresh_token");
        Map<String, String> refresh = OpenIdClient.refreshing(first);
        String lost = send(fapi, refresh, KEY).expect(200).json().string("refresh_token");

        service.clock().advance(Duration.ofSeconds(31)); // a client may wait for half a minute before it tries again
        String retried = send(fapi, refresh, KEY).expect(200).json().string("refresh_token");

        assertThat(retried).isNotEqualTo(lost);
        retried = send(fapi, OpenIdClient.refreshing(retried), KEY)
                .expect(200)
                .json()
                .string("refresh_token");
        assertThat(refused(send(fapi, refresh, KEY))).isEqualTo("reused_refresh_token");
        assertThat(refused(send(fapi, OpenIdClient.refreshing(retried), KEY))).isEqualTo("invalid_refresh_token");
    }

    @Test
    void a_refresh_is_not_repeated_after_45_seconds_nor_by_other_clients() throws Exception {
        OpenIdClient fapi = fapi();
        Map<String, String> refresh = OpenIdClient.refreshing(tokens(fapi).string("refresh_token"));
        send(fapi, refresh, KEY).expect(200);
        service.clock().advance(Duration.ofSeconds(45));
        assertThat(refused(send(fapi, refresh, KEY))).isEqualTo("reused_refresh_token");

        String used = client.tokens(signedIn()).string("refresh_token");
        client.refresh(used).expect(200);
        assertThat(refused(client.refresh(used))).isEqualTo("reused_refresh_token");
    }

    @Test
    void a_client_with_keys_may_use_another_key_for_its_next_tokens() throws Exception {
        OpenIdClient fapi = fapi();
        JsonObject tokens = tokens(fapi);
        ECKey other = new ECKeyGenerator(Curve.P_256).generate();

        JsonObject next = send(fapi, OpenIdClient.refreshing(tokens.string("refresh_token")), other)
                .expect(200)
                .json();

        userinfo(next.string("access_token"), other).expect(200);
        userinfo(next.string("access_token"), KEY).expect(401);
        userinfo(tokens.string("access_token"), KEY).expect(200);
    }

    @Test
    void a_public_client_keeps_its_key_and_a_refused_proof_ends_nothing() throws Exception {
        OpenIdClient spa = OpenIdClient.register(service.admin(), ",\"public\":true");
        String token = spa.post(
                        service.web().with("DPoP", proof(KEY, "/oauth2/token")),
                        "/oauth2/token",
                        spa.redeeming(spa.code(signedIn())))
                .expect(200)
                .json()
                .string("refresh_token");
        Map<String, String> refresh = OpenIdClient.refreshing(token);
        ECKey other = new ECKeyGenerator(Curve.P_256).generate();
        assertThat(refused(
                        spa.post(service.web().with("DPoP", proof(other, "/oauth2/token")), "/oauth2/token", refresh)))
                .isEqualTo("invalid_dpop_proof");

        spa.post(service.web().with("DPoP", proof(KEY, "/oauth2/token")), "/oauth2/token", refresh)
                .expect(200);
    }

    @Test
    void pushed_requests_and_bound_tokens_can_be_required_of_any_client() {
        OpenIdClient strict = OpenIdClient.register(
                service.admin(), ",\"requirePushedAuthorizationRequests\":true,\"dpopBoundAccessTokens\":true");
        assertThat(OpenIdClient.response(strict.authorize(strict.request()).expect(303)))
                .containsEntry("error", "invalid_request");
        String requestUri = strict.post(strict.authenticated(), "/oauth2/par", strict.request())
                .expect(201)
                .json()
                .string("request_uri");
        String code = strict.signIn(signedIn(), Map.of("client_id", strict.id(), "request_uri", requestUri))
                .get("code");

        assertThat(refused(strict.redeem(code))).isEqualTo("invalid_dpop_proof");
    }

    @Test
    void a_pushed_request_must_not_refer_to_another() {
        Map<String, String> request = client.request("request_uri", "urn:ietf:params:oauth:request_uri:x");

        for (Map<String, String> pushed : List.of(request, Map.of("request_uri", "urn:x"))) {
            TestResponse response = client.post(client.authenticated(), "/oauth2/par", pushed);
            assertThat(response.expect(400).json().string("error")).isEqualTo("request_uri_not_supported");
        }
    }

    @Test
    void an_assertion_is_addressed_to_the_issuer_and_nothing_else() throws Exception {
        OpenIdClient signing = withKeys("", KEY);
        assertThat(accepts(signing, claims -> claims.audience("http://localhost")))
                .isTrue();
        assertThat(accepts(signing, claims -> claims.audience("http://localhost/oauth2/token")))
                .isFalse();
        assertThat(accepts(signing, claims -> claims.audience(List.of("http://localhost", "https://evil.example"))))
                .isFalse();
        assertThat(accepts(signing, claims -> claims.audience("https://evil.example")))
                .isFalse();

        OpenIdClient spring = withKeys(",\"endpointAudience\":true", KEY);
        assertThat(accepts(spring, claims -> claims.audience("http://localhost/oauth2/token")))
                .isTrue();
        assertThat(accepts(spring, claims -> claims.audience("http://localhost/oauth2/userinfo")))
                .isFalse();
    }

    @Test
    void an_assertion_of_the_future_is_refused() throws Exception {
        OpenIdClient signing = withKeys("", KEY);
        Date now = Date.from(service.clock().instant());
        Date later = Date.from(service.clock().instant().plusSeconds(45));
        assertThat(accepts(signing, claims -> claims.issueTime(now))).isTrue();
        assertThat(accepts(signing, claims -> claims.issueTime(later))).isFalse();
        assertThat(accepts(signing, claims -> claims.notBeforeTime(later))).isFalse();
    }

    @Test
    void an_assertion_with_critical_headers_is_refused() throws Exception {
        OpenIdClient signing = withKeys("", KEY);
        JWSHeader plain = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("k1").build();
        assertThat(accepts(signing, assertion(signing, plain, it -> it, new ECDSASigner(KEY))))
                .isTrue();
        for (String header : List.of(
                "{\"alg\":\"ES256\",\"kid\":\"k1\",\"crit\":[]}",
                "{\"alg\":\"ES256\",\"kid\":\"k1\",\"crit\":[\"b64\"],\"b64\":true}",
                "{\"alg\":\"ES256\",\"kid\":\"k1\",\"b64\":true}")) {
            JWSHeader critical = JWSHeader.parse(com.nimbusds.jose.util.Base64URL.encode(header));
            assertThat(accepts(signing, assertion(signing, critical, it -> it, new ECDSASigner(KEY))))
                    .as(header)
                    .isFalse();
        }
    }

    @Test
    void an_assertion_expires_within_five_minutes_and_an_operator_sees_why_one_is_refused() throws Exception {
        OpenIdClient signing = withKeys("", KEY);
        Instant now = service.clock().instant();
        assertThat(accepts(signing, claims -> claims.expirationTime(Date.from(now.plusSeconds(300)))))
                .isTrue();

        assertThat(accepts(signing, claims -> claims.expirationTime(Date.from(now.plusSeconds(3_600)))))
                .isFalse();
        assertThat(accepts(signing, claims -> claims.audience("https://other.example")))
                .isFalse();

        assertThat(service.admin()
                        .get("/admin/clients/" + signing.id() + "/activity")
                        .expect(200)
                        .body())
                .contains(
                        "an assertion with exp: in the next 5 minutes",
                        "an assertion with aud: http://localhost",
                        "https://other.example");
    }

    @Test
    void an_rsa_key_signs_with_pss_and_under_fapi2_with_nothing_else() throws Exception {
        RSAKey key = new RSAKeyGenerator(2048).keyID("k1").generate();
        for (String settings : List.of("", ",\"profile\":\"fapi2\"")) {
            OpenIdClient signing = withKeys(settings, key);
            var pss = new JWSHeader.Builder(JWSAlgorithm.PS256).keyID("k1").build();
            var old = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("k1").build();
            assertThat(accepts(signing, assertion(signing, pss, it -> it, new RSASSASigner(key))))
                    .isTrue();
            assertThat(accepts(signing, assertion(signing, old, it -> it, new RSASSASigner(key))))
                    .isEqualTo(settings.isEmpty());
        }
    }

    @Test
    void weak_keys_and_keys_for_something_else_are_not_registered() throws Exception {
        var generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F0));
        RSAKey small =
                new RSAKey.Builder((RSAPublicKey) generator.generateKeyPair().getPublic()).build();
        ECKey decrypting = new ECKey.Builder(KEY.toPublicJWK())
                .keyOperations(Set.of(KeyOperation.DECRYPT))
                .build();
        for (JWK key : List.of(small, decrypting)) {
            assertThat(refusedRegistration("{\"jwks\":" + keySet(key) + "}")).contains("JWKS");
        }
        assertThat(refusedRegistration("{\"profile\":\"fapi2\"}")).contains("fapi2 needs a JWKS");
        assertThat(refusedRegistration(
                        "{\"profile\":\"fapi2\",\"idTokenAlgorithm\":\"RS256\",\"jwks\":" + keySet(KEY) + "}"))
                .contains("ES256");
    }

    @Test
    void a_proof_names_the_uri_in_any_spelling_and_a_clock_may_differ_by_some_seconds() throws Exception {
        OpenIdClient spa = OpenIdClient.register(service.admin(), ",\"public\":true");
        for (String uri : List.of(
                "HTTP://LOCALHOST/oauth2/par",
                "http://localhost:80/oauth2/par?a=b#c",
                "http://localhost/oauth2/par?")) {
            assertThat(accepts(spa, claims -> claims.claim("htu", uri), 0))
                    .as(uri)
                    .isTrue();
        }
        for (String uri : List.of(
                "http://localhost/oauth2/PAR",
                "https://localhost/oauth2/par",
                "http://localhost:81/oauth2/par",
                "http://user@localhost/oauth2/par",
                "/oauth2/par",
                "http://localhost/oauth2/par/",
                "not a uri")) {
            assertThat(accepts(spa, claims -> claims.claim("htu", uri), 0))
                    .as(uri)
                    .isFalse();
        }
        assertThat(accepts(spa, claims -> claims, 10)).isTrue();
        assertThat(accepts(spa, claims -> claims, 61)).isFalse();
        assertThat(accepts(spa, claims -> claims, -60)).isTrue();
        assertThat(accepts(spa, claims -> claims, -120)).isFalse();
    }

    @Test
    void userinfo_accepts_the_token_in_a_form_and_not_in_two_places() {
        String access = client.tokens(signedIn()).string("access_token");

        service.web()
                .postForm("/oauth2/userinfo", Map.of("access_token", access))
                .expect(200);

        service.web()
                .bearer(access)
                .postForm("/oauth2/userinfo", Map.of("access_token", access))
                .expect(401);
        service.web().postForm("/oauth2/userinfo", Map.of("access_token", "x")).expect(401);
        service.web().bearer(access).post("/oauth2/userinfo").expect(200);
    }

    private static OpenIdClient fapi() {
        return withKeys(",\"profile\":\"fapi2\"", KEY);
    }

    private static OpenIdClient withKeys(String settings, JWK key) {
        return OpenIdClient.register(service.admin(), ",\"jwks\":" + keySet(key) + settings);
    }

    private static String keySet(JWK key) {
        return new JWKSet(key).toPublicJWKSet().toString();
    }

    private static Map<String, String> withoutPkce(Map<String, String> request) {
        request.keySet().removeAll(Set.of("code_challenge", "code_challenge_method"));
        return request;
    }

    private static Map<String, String> withoutVerifier(Map<String, String> request) {
        request.remove("code_verifier");
        return request;
    }

    private static String refused(TestResponse response) {
        return response.expect(400).json().string("code");
    }

    /** The sentence of a registration that is refused. */
    private static String refusedRegistration(String settings) {
        JsonObject request = JsonObject.parse(settings);
        request.put("clientId", "app-" + UUID.randomUUID());
        request.put("redirectUris", List.of(OpenIdClient.REDIRECT_URI));
        return service.admin()
                .post("/admin/clients", request.toString())
                .expect(400)
                .body();
    }

    private static Map<String, String> pushed(OpenIdClient fapi) throws Exception {
        String requestUri = fapi.post(service.web(), "/oauth2/par", identified(fapi, fapi.request()))
                .expect(201)
                .json()
                .string("request_uri");
        return Map.of("client_id", fapi.id(), "request_uri", requestUri);
    }

    private static JsonObject tokens(OpenIdClient fapi) throws Exception {
        String code = fapi.signIn(signedIn(), pushed(fapi)).get("code");
        return send(fapi, fapi.redeeming(code), KEY).expect(200).json();
    }

    /** Sends a token request with a proof of a key, if there is one. */
    private static TestResponse send(OpenIdClient fapi, Map<String, String> parameters, ECKey key) throws Exception {
        var web = key == null ? service.web() : service.web().with("DPoP", proof(key, "/oauth2/token"));
        return fapi.post(web, "/oauth2/token", identified(fapi, parameters));
    }

    private static TestResponse userinfo(String access, ECKey key) throws Exception {
        String proof = OpenIdClientAuthenticationTest.proof(key, "GET", "/oauth2/userinfo", access);
        return service.web()
                .with("Authorization", "DPoP " + access)
                .with("DPoP", proof)
                .get("/oauth2/userinfo");
    }

    private static String proof(ECKey key, String path) throws Exception {
        return OpenIdClientAuthenticationTest.proof(key, "POST", path, null);
    }

    private static Map<String, String> identified(OpenIdClient client, Map<String, String> parameters)
            throws Exception {
        var header = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("k1").build();
        return identified(parameters, assertion(client, header, it -> it, new ECDSASigner(KEY)));
    }

    private static Map<String, String> identified(Map<String, String> parameters, String assertion) {
        Map<String, String> all = new LinkedHashMap<>(parameters);
        all.put("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
        all.put("client_assertion", assertion);
        return all;
    }

    private static String assertion(
            OpenIdClient client, JWSHeader header, UnaryOperator<JWTClaimsSet.Builder> change, JWSSigner signer)
            throws Exception {
        var claims = new JWTClaimsSet.Builder()
                .issuer(client.id())
                .subject(client.id())
                .audience("http://localhost")
                .expirationTime(Date.from(service.clock().instant().plusSeconds(60)))
                .jwtID(UUID.randomUUID().toString());
        var token = new SignedJWT(header, change.apply(claims).build());
        token.sign(signer);
        return token.serialize();
    }

    /** Whether a client authenticates with an assertion that has these claims. */
    private static boolean accepts(OpenIdClient client, UnaryOperator<JWTClaimsSet.Builder> change) throws Exception {
        var header = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("k1").build();
        return accepts(client, assertion(client, header, change, new ECDSASigner(KEY)));
    }

    private static boolean accepts(OpenIdClient client, String assertion) {
        TestResponse response =
                client.post(service.web(), "/oauth2/token", identified(OpenIdClient.refreshing("x"), assertion));
        return !response.json().string("code").equals("invalid_client");
    }

    /** Whether a proof with these claims is accepted, issued this many seconds from now. */
    private static boolean accepts(OpenIdClient spa, UnaryOperator<JWTClaimsSet.Builder> change, int seconds)
            throws Exception {
        String proof = OpenIdClientAuthenticationTest.proof(
                KEY,
                claims -> change.apply(claims.claim("htm", "POST")
                        .claim("htu", "http://localhost/oauth2/par")
                        .issueTime(Date.from(service.clock().instant().plusSeconds(seconds)))));
        TestResponse response = spa.post(service.web().with("DPoP", proof), "/oauth2/par", spa.request());
        return response.status() == 201;
    }
}
