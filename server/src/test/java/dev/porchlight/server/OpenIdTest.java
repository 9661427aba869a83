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
import dev.porchlight.testkit.wire.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** OpenID Connect, from the client's request to its tokens. */
class OpenIdTest {
    private static final String CALLBACK = OpenIdClient.REDIRECT_URI;
    private static Service service;
    private static OpenIdClient client;

    @BeforeAll
    static void start() {
        service = Service.on(TestDatabase.SQLITE);
        client = OpenIdClient.register(service, "");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static Web signedIn() {
        return service.newUser().enroll().bySession();
    }

    private static String encoded(Person person) {
        return person.userId().replace(" ", "%20");
    }

    private static JWTClaimsSet claims(String jwt) throws Exception {
        SignedJWT token = SignedJWT.parse(jwt);
        JWKSet published =
                JWKSet.parse(service.web().get("/.well-known/jwks.json").body());
        var key = published.getKeyByKeyId(token.getHeader().getKeyID());
        assertThat(token.verify(
                        key instanceof ECKey ec
                                ? new com.nimbusds.jose.crypto.ECDSAVerifier(ec)
                                : new com.nimbusds.jose.crypto.RSASSAVerifier(key.toRSAKey())))
                .isTrue();
        return token.getJWTClaimsSet();
    }

    @Test
    void without_a_client_every_endpoint_is_absent() {
        try (Service empty = Service.on(TestDatabase.SQLITE)) {
            empty.web().get("/.well-known/openid-configuration").expectProblem(404, "not_found");
            empty.web().get("/oauth2/authorize?client_id=x").expectProblem(404, "not_found");
            empty.web().get("/oauth2/userinfo").expectProblem(404, "not_found");
        }
    }

    @Test
    void discovery_describes_only_the_strict_profile() {
        JsonObject document = service.web()
                .get("/.well-known/openid-configuration")
                .expect(200)
                .json();

        assertThat(document.string("issuer")).isEqualTo("http://localhost");
        assertThat(document.get("response_types_supported")).isEqualTo(List.of("code"));
        assertThat(document.get("code_challenge_methods_supported")).isEqualTo(List.of("S256"));
        assertThat(document.flag("authorization_response_iss_parameter_supported"))
                .isTrue();
    }

    @Test
    void a_user_signs_in_and_the_client_gets_tokens() throws Exception {
        Person person = service.newUser().enroll();
        Map<String, String> response = client.signIn(person.bySession(), client.request());
        assertThat(response).containsEntry("state", "the state").containsEntry("iss", "http://localhost");

        JsonObject tokens = client.redeem(response.get("code")).expect(200).json();

        JWTClaimsSet id = claims(tokens.string("id_token"));
        assertThat(id.getIssuer()).isEqualTo("http://localhost");
        assertThat(id.getSubject()).isEqualTo(person.userId());
        assertThat(id.getAudience()).containsExactly(client.id());
        assertThat(id.getStringClaim("nonce")).isEqualTo("the nonce");
        assertThat(id.getStringClaim("acr")).isEqualTo("phrh");
        assertThat(id.getLongClaim("auth_time")).isPositive();
        SignedJWT access = SignedJWT.parse(tokens.string("access_token"));
        assertThat(access.getHeader().getType()).isEqualTo(new JOSEObjectType("at+jwt"));
        assertThat(access.getJWTClaimsSet().getAudience()).containsExactly(client.id());
        JsonObject user =
                client.userinfo(tokens.string("access_token")).expect(200).json();
        assertThat(user.string("sub")).isEqualTo(person.userId());
        assertThat(user.string("preferred_username")).isEqualTo(person.userId());
    }

    @Test
    void access_and_id_tokens_are_not_accepted_on_the_own_routes() {
        JsonObject tokens = client.redeem(client.code(signedIn())).expect(200).json();

        for (String name : List.of("access_token", "id_token", "refresh_token")) {
            service.web().bearer(tokens.string(name)).get("/auth/session").expectProblem(401, "unauthenticated");
        }
    }

    @Test
    void a_replayed_code_revokes_its_tokens() {
        String code = client.code(signedIn());
        JsonObject tokens = client.redeem(code).expect(200).json();

        assertThat(client.redeem(code).expect(400).json().string("code")).isEqualTo("replayed_code");

        client.refresh(tokens.string("refresh_token")).expect(400);
        client.userinfo(tokens.string("access_token")).expect(401);
    }

    @Test
    void a_code_expires_after_a_minute() {
        String code = client.code(signedIn());
        service.clock().advance(Duration.ofSeconds(61));

        assertThat(client.redeem(code).expect(400).json().string("error")).isEqualTo("invalid_grant");
    }

    @ParameterizedTest
    @CsvSource({
        "redirect_uri, https://app.example/other, code_redirect_mismatch",
        "code_verifier, another-verifier-that-is-long-enough-for-the-rules, pkce_mismatch",
        "code_verifier, short, pkce_mismatch"
    })
    void a_code_is_bound_to_its_request(String name, String value, String reason) {
        String code = client.code(signedIn());
        Map<String, String> request = new java.util.HashMap<>(Map.of(
                "grant_type",
                "authorization_code",
                "code",
                code,
                "redirect_uri",
                CALLBACK,
                "code_verifier",
                OpenIdClient.VERIFIER));
        request.put(name, value);

        assertThat(client.token(request).expect(400).json().string("code")).isEqualTo(reason);
        client.redeem(code).expect(400); // a failed attempt uses it up
    }

    @Test
    void a_code_of_another_client_is_refused() {
        OpenIdClient other = OpenIdClient.register(service, "");

        assertThat(other.redeem(client.code(signedIn())).expect(400).json().string("code"))
                .isEqualTo("code_client_mismatch");
    }

    @Test
    void refresh_tokens_rotate_and_a_reused_one_revokes_all() throws Exception {
        JsonObject first = client.redeem(client.code(signedIn())).expect(200).json();
        JsonObject second =
                client.refresh(first.string("refresh_token")).expect(200).json();
        assertThat(claims(second.string("id_token")).getClaim("nonce")).isNull();

        assertThat(client.refresh(first.string("refresh_token"))
                        .expect(400)
                        .json()
                        .string("code"))
                .isEqualTo("reused_refresh_token");

        client.refresh(second.string("refresh_token")).expect(400);
        client.userinfo(second.string("access_token")).expect(401);
    }

    @Test
    void a_forged_refresh_token_revokes_nothing() {
        JsonObject tokens = client.redeem(client.code(signedIn())).expect(200).json();
        String token = tokens.string("refresh_token");
        String forged = token.substring(0, token.length() - 4) + "AAAA";

        assertThat(client.refresh(forged).expect(400).json().string("code")).isEqualTo("invalid_refresh_token");
        client.refresh(token).expect(200);
    }

    @Test
    void removing_the_passkey_ends_refresh_and_access_tokens() {
        Person person = service.newUser().enroll();
        Web browser = person.bySession();
        JsonObject tokens = client.redeem(client.code(browser)).expect(200).json();

        browser.delete("/auth/passkey/credentials/" + person.credentialId() + "?force=true")
                .expect(200);

        client.userinfo(tokens.string("access_token")).expect(401);
        client.refresh(tokens.string("refresh_token")).expect(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock", "sign-out"})
    void locking_or_signing_out_a_user_ends_their_tokens(String change) {
        Person person = service.newUser().enroll();
        JsonObject tokens =
                client.redeem(client.code(person.bySession())).expect(200).json();

        service.admin().post("/admin/users/" + encoded(person) + "/" + change).expect(204);

        client.userinfo(tokens.string("access_token")).expect(401);
        client.refresh(tokens.string("refresh_token")).expect(400);
    }

    @Test
    void signing_out_ends_what_the_session_gave_to_clients() {
        Web browser = signedIn();
        JsonObject tokens = client.redeem(client.code(browser)).expect(200).json();

        browser.post("/auth/logout").expect(204);

        client.refresh(tokens.string("refresh_token")).expect(400);
    }

    @Test
    void revocation_ends_the_tokens() {
        JsonObject tokens = client.redeem(client.code(signedIn())).expect(200).json();

        client.post(client.authenticated(), "/oauth2/revoke", Map.of("token", tokens.string("refresh_token")))
                .expect(200);
        client.post(client.authenticated(), "/oauth2/revoke", Map.of("token", "unknown"))
                .expect(200);

        client.refresh(tokens.string("refresh_token")).expect(400);
        client.userinfo(tokens.string("access_token")).expect(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://app.example/callback/",
                "https://app.example/callback?x=1",
                "https://app.example/callback#x",
                "https://app.example:443/callback",
                "https://APP.example/callback",
                "https://app.example/%63allback",
                "https://app.example/a/../callback",
                "https://app.example@evil.example/callback",
                "https://app.example.evil.example/callback",
                "http://app.example/callback",
                "//app.example/callback",
                "/callback",
                ""
            })
    void an_unregistered_redirect_uri_gets_a_page_and_no_redirect(String uri) {
        Map<String, String> request = client.request();
        request.put("redirect_uri", uri);

        TestResponse response = client.authorize(request).expect(400);

        assertThat(response.header("Location")).isNull();
        assertThat(response.header("Content-Type")).startsWith("text/html");
        assertThat(response.body()).contains("support");
    }

    @ParameterizedTest
    @CsvSource({
        "response_type, token, unsupported_response_type",
        "response_type, code id_token, unsupported_response_type",
        "response_mode, fragment, invalid_request",
        "code_challenge_method, plain, invalid_request",
        "code_challenge_method, '', invalid_request",
        "code_challenge, '', invalid_request",
        "scope, profile, invalid_scope",
        "prompt, consent, invalid_request",
        "max_age, -1, invalid_request",
        "request, eyJhbGciOiJub25lIn0.e30., request_not_supported"
    })
    void an_invalid_request_is_reported_to_the_client(String name, String value, String error) {
        Map<String, String> request = client.request();
        request.put(name, value);

        String location = client.authorize(request).expect(303).header("Location");

        assertThat(location).startsWith(CALLBACK + "?");
        assertThat(OpenIdClient.response(location))
                .containsEntry("error", error)
                .containsEntry("state", "the state")
                .containsEntry("iss", "http://localhost")
                .doesNotContainKey("code");
    }

    @Test
    void a_repeated_parameter_is_refused() {
        String query = OpenIdClient.form(client.request());

        TestResponse redirected =
                service.web().get("/oauth2/authorize?" + query + "&nonce=2").expect(303);
        assertThat(OpenIdClient.response(redirected.header("Location"))).containsEntry("error", "invalid_request");
        service.web()
                .get("/oauth2/authorize?" + query + "&redirect_uri=https://evil.example/")
                .expect(400);
        service.web().get("/oauth2/authorize?" + query + "&client_id=x").expect(400);
    }

    @Test
    void a_user_who_is_not_signed_in_must_sign_in_first() {
        TestResponse next =
                client.proceed(service.web(), client.begin(client.request())).expect(303);

        assertThat(next.header("Location")).startsWith("/?request=");
    }

    @Test
    void the_sign_in_page_learns_the_name_of_the_client() {
        String sealed = client.begin(client.request());

        assertThat(service.web()
                        .get("/oauth2/request?request=" + sealed)
                        .expect(200)
                        .json()
                        .string("name"))
                .isEqualTo("The App");
        service.web().get("/oauth2/request?request=x").expectProblem(404, "not_found");
    }

    @Test
    void prompt_none_never_shows_anything() {
        Map<String, String> request = client.request();
        request.put("prompt", "none");
        String page = client.authorize(request).expect(200).body();
        assertThat(page).contains("url=/oauth2/continue?request=").doesNotContain("<main", "<a ");

        assertThat(client.signIn(service.web(), request)).containsEntry("error", "login_required");
        assertThat(client.signIn(signedIn(), request)).containsKey("code");
    }

    @ParameterizedTest
    @CsvSource({"prompt, login", "max_age, 0"})
    void a_fresh_sign_in_needs_the_passkey(String name, String value) {
        Person person = service.newUser().enroll();
        Web old = person.bySession();
        Map<String, String> request = client.request();
        request.put(name, value);

        TestResponse first = client.proceed(old, client.begin(request)).expect(303);
        assertThat(first.header("Location")).startsWith("/?request=");
        String asked = OpenIdClient.sealed(first);
        assertThat(client.proceed(old, asked).header("Location")).startsWith("/?request=");

        assertThat(client.proceed(person.bySession(), asked).header("Location")).startsWith(CALLBACK + "?code=");
    }

    @Test
    void an_old_session_is_not_fresh_for_a_browser_that_hid_it_at_first() {
        Web old = signedIn();
        service.clock().advance(Duration.ofSeconds(2));
        Map<String, String> request = client.request();
        request.put("prompt", "login");
        String asked = OpenIdClient.sealed(client.proceed(service.web(), client.begin(request)));

        assertThat(client.proceed(old, asked).header("Location")).startsWith("/?request=");
    }

    @Test
    void max_age_accepts_a_recent_sign_in_only() {
        Web browser = signedIn();
        Map<String, String> request = client.request();
        request.put("max_age", "60");
        assertThat(client.signIn(browser, request)).containsKey("code");

        service.clock().advance(Duration.ofSeconds(61));

        assertThat(client.proceed(browser, client.begin(request)).header("Location"))
                .startsWith("/?request=");
    }

    @Test
    void only_members_of_its_groups_sign_in_to_a_client() throws Exception {
        OpenIdClient limited = OpenIdClient.register(service, ",\"groups\":[\"staff\"]");
        Person person = service.newUser().enroll();
        Web browser = person.bySession();

        TestResponse refused =
                limited.proceed(browser, limited.begin(limited.request())).expect(403);
        assertThat(refused.body()).contains("error=access_denied", "support");

        service.admin().post("/admin/groups/staff/" + encoded(person)).expect(204);
        JsonObject tokens = limited.redeem(limited.code(browser)).expect(200).json();
        assertThat(claims(tokens.string("id_token")).getStringListClaim("groups"))
                .containsExactly("staff");
    }

    @Test
    void a_third_party_needs_consent_once() {
        OpenIdClient third = OpenIdClient.register(service, ",\"consent\":true");
        Web browser = signedIn();
        String sealed = third.begin(third.request());
        assertThat(third.proceed(browser, sealed).expect(200).body()).contains("The App", "Allow");

        assertThat(consent(browser, sealed, "deny")).contains("error=access_denied");
        assertThat(consent(browser, sealed, "agree")).contains(CALLBACK + "?code=");

        assertThat(third.signIn(browser, third.request())).containsKey("code");
    }

    @Test
    void a_user_revokes_the_consent_and_the_tokens_end() {
        OpenIdClient third = OpenIdClient.register(service, ",\"consent\":true");
        Web browser = signedIn();
        String page = consent(browser, third.begin(third.request()), "agree");
        String code = page.replaceAll("(?s).*[?]code=([^&]+).*", "$1");
        JsonObject tokens = third.redeem(code).expect(200).json();
        assertThat(browser.get("/auth/applications").expect(200).body()).contains(third.id(), "The App", "profile");

        signedIn().delete("/auth/applications/" + third.id()).expectProblem(404, "not_found");
        browser.delete("/auth/applications/" + third.id()).expect(204);

        third.refresh(tokens.string("refresh_token")).expect(400);
        assertThat(browser.get("/auth/applications").json().objects("applications"))
                .isEmpty();
        third.proceed(browser, third.begin(third.request())).expect(200); // asks again
    }

    private static String consent(Web browser, String sealed, String decision) {
        return browser.with("Content-Type", "application/x-www-form-urlencoded")
                .send(
                        "POST",
                        "/oauth2/consent",
                        BodyPublishers.ofString(OpenIdClient.form(Map.of("request", sealed, "decision", decision))))
                .expect(200)
                .body();
    }

    @Test
    void an_expired_request_gets_a_page() {
        Web browser = signedIn();
        String sealed = client.begin(client.request());
        service.clock().advance(Duration.ofMinutes(16));

        assertThat(client.proceed(browser, sealed).expect(400).body()).contains("took too long");
        client.proceed(browser, "forged").expect(400);
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

        assertThat(wrong.expect(401).body()).isEqualTo(unknown.expect(401).body());
        assertThat(wrong.header("WWW-Authenticate")).startsWith("Basic");
        assertThat(service.logs()).doesNotContain(client.secret());
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
    void a_rotated_secret_replaces_the_old_one() {
        OpenIdClient rotated = OpenIdClient.register(service, "");
        service.admin()
                .post("/admin/clients/" + rotated.id() + "/rotate-secret")
                .expect(200);

        rotated.refresh("x").expect(401);
    }

    @Test
    void a_public_client_uses_any_loopback_port_and_reads_responses_from_its_page() {
        OpenIdClient spa = OpenIdClient.register(
                service, ",\"public\":true,\"redirectUris\":[\"http://127.0.0.1/cb\",\"https://spa.example/cb\"]");
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
    }

    @Test
    void a_client_gets_rs256_if_it_asks_for_it() throws Exception {
        OpenIdClient legacy = OpenIdClient.register(service, ",\"idTokenAlgorithm\":\"RS256\"");

        JsonObject tokens = legacy.redeem(legacy.code(signedIn())).expect(200).json();

        assertThat(SignedJWT.parse(tokens.string("id_token")).getHeader().getAlgorithm())
                .isEqualTo(JWSAlgorithm.RS256);
        assertThat(claims(tokens.string("id_token")).getAudience()).containsExactly(legacy.id());
    }

    @Test
    void a_pushed_request_signs_in() {
        String requestUri = client.post(client.authenticated(), "/oauth2/par", client.request())
                .expect(201)
                .json()
                .string("request_uri");

        String location = client.authorize(Map.of("client_id", client.id(), "request_uri", requestUri))
                .expect(303)
                .header("Location");
        assertThat(location).startsWith("/?request=");
        OpenIdClient other = OpenIdClient.register(service, "");
        other.authorize(Map.of("client_id", other.id(), "request_uri", requestUri))
                .expect(400);
        service.clock().advance(Duration.ofSeconds(61));
        client.authorize(Map.of("client_id", client.id(), "request_uri", requestUri))
                .expect(400);
    }

    @Test
    void a_client_authenticates_with_its_key_once_per_assertion() throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("k1").generate();
        String jwks = new JWKSet(key).toPublicJWKSet().toString().replace("\"", "\\\"");
        OpenIdClient signing = OpenIdClient.register(service, ",\"jwks\":\"" + jwks + "\"");
        String code = signing.code(signedIn());
        Map<String, String> request = Map.of(
                "grant_type",
                "authorization_code",
                "code",
                code,
                "redirect_uri",
                CALLBACK,
                "code_verifier",
                OpenIdClient.VERIFIER,
                "client_assertion_type",
                "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
                "client_assertion",
                assertion(signing.id(), key));

        signing.post(service.web(), "/oauth2/token", request).expect(200);
        signing.post(service.web(), "/oauth2/token", request).expect(401);
    }

    private static String assertion(String clientId, ECKey key) throws Exception {
        var claims = new JWTClaimsSet.Builder()
                .issuer(clientId)
                .subject(clientId)
                .audience("http://localhost/oauth2/token")
                .expirationTime(Date.from(service.clock().instant().plusSeconds(60)))
                .jwtID(UUID.randomUUID().toString())
                .build();
        var token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("k1").build(), claims);
        token.sign(new ECDSASigner(key));
        return token.serialize();
    }

    @Test
    void tokens_bound_to_a_key_need_a_proof_of_it() throws Exception {
        OpenIdClient spa = OpenIdClient.register(service, ",\"public\":true");
        ECKey key = new ECKeyGenerator(Curve.P_256).generate();
        String code = spa.code(signedIn());
        JsonObject tokens = spa.post(
                        service.web().with("DPoP", proof(key, "POST", "/oauth2/token", null)),
                        "/oauth2/token",
                        Map.of(
                                "grant_type",
                                "authorization_code",
                                "code",
                                code,
                                "redirect_uri",
                                CALLBACK,
                                "code_verifier",
                                OpenIdClient.VERIFIER))
                .expect(200)
                .json();
        String access = tokens.string("access_token");

        assertThat(tokens.string("token_type")).isEqualTo("DPoP");
        spa.userinfo(access).expect(401);
        String proof = proof(key, "GET", "/oauth2/userinfo", access);
        Web bound = service.web().with("Authorization", "DPoP " + access);
        bound.with("DPoP", proof).get("/oauth2/userinfo").expect(200);
        bound.with("DPoP", proof).get("/oauth2/userinfo").expect(401);
        ECKey other = new ECKeyGenerator(Curve.P_256).generate();
        bound.with("DPoP", proof(other, "GET", "/oauth2/userinfo", access))
                .get("/oauth2/userinfo")
                .expect(401);
    }

    private static String proof(ECKey key, String method, String path, String accessToken) throws Exception {
        var claims = new JWTClaimsSet.Builder()
                .jwtID(UUID.randomUUID().toString())
                .issueTime(Date.from(Instant.now()))
                .claim("htm", method)
                .claim("htu", "http://localhost" + path);
        if (accessToken != null) {
            byte[] digest = java.security.MessageDigest.getInstance("SHA-256").digest(accessToken.getBytes());
            claims.claim("ath", com.nimbusds.jose.util.Base64URL.encode(digest).toString());
        }
        var header = new JWSHeader.Builder(JWSAlgorithm.ES256)
                .type(new JOSEObjectType("dpop+jwt"))
                .jwk(key.toPublicJWK())
                .build();
        var token = new SignedJWT(header, claims.build());
        token.sign(new ECDSASigner(key));
        return token.serialize();
    }

    @Test
    void logout_with_an_id_token_ends_its_session_and_returns_to_the_client() {
        OpenIdClient leaving = OpenIdClient.register(service, ",\"logoutUris\":[\"https://app.example/bye\"]");
        Web browser = signedIn();
        JsonObject tokens = leaving.redeem(leaving.code(browser)).expect(200).json();
        Map<String, String> request = Map.of(
                "id_token_hint",
                tokens.string("id_token"),
                "post_logout_redirect_uri",
                "https://app.example/bye",
                "state",
                "s 1");

        TestResponse response = service.web()
                .get("/oauth2/logout?" + OpenIdClient.form(request))
                .expect(303);

        assertThat(response.header("Location")).isEqualTo("https://app.example/bye?state=s+1");
        browser.get("/auth/session").expectProblem(401, "unauthenticated");
        leaving.refresh(tokens.string("refresh_token")).expect(400);
    }

    @Test
    void logout_without_an_id_token_signs_no_one_out() {
        Web browser = signedIn();

        TestResponse response =
                browser.get("/oauth2/logout?client_id=" + client.id()).expect(303);

        assertThat(response.header("Location")).isEqualTo("/account");
        browser.get("/auth/session").expect(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example/", "https://app.example/bye/../x"})
    void logout_returns_to_registered_uris_only(String uri) {
        OpenIdClient leaving = OpenIdClient.register(service, ",\"logoutUris\":[\"https://app.example/bye\"]");

        service.web()
                .get("/oauth2/logout?"
                        + OpenIdClient.form(Map.of("client_id", leaving.id(), "post_logout_redirect_uri", uri)))
                .expect(400);
    }

    @Test
    void a_removed_client_loses_its_tokens() {
        OpenIdClient removed = OpenIdClient.register(service, "");
        JsonObject tokens = removed.redeem(removed.code(signedIn())).expect(200).json();

        service.admin().delete("/admin/clients/" + removed.id()).expect(204);

        removed.userinfo(tokens.string("access_token")).expect(401);
        removed.refresh(tokens.string("refresh_token")).expect(401);
    }

    @Test
    void another_site_cannot_make_a_browser_complete_a_request() {
        signedIn()
                .with("Sec-Fetch-Site", "cross-site")
                .get("/oauth2/continue?request=" + client.begin(client.request()))
                .expectProblem(403, "cross_site");
    }

    @Test
    void refusals_are_counted_and_logged_with_the_parameter() {
        Map<String, String> request = client.request();
        request.put("redirect_uri", "https://typo.example/callback");

        client.authorize(request).expect(400);

        assertThat(service.metrics())
                .contains("openid_requests_total{endpoint=\"authorize\",result=\"redirect_uri_mismatch\"}");
        assertThat(service.logs()).contains("https://typo.example/callback", CALLBACK);
    }

    @Test
    void the_support_code_of_a_refusal_leads_to_the_parameter() {
        Map<String, String> request = client.request();
        request.put("redirect_uri", "https://misspelled.example/callback");
        String page = client.authorize(request).expect(400).body();
        String supportCode = page.replaceAll("(?s).*<code>([^<]+)</code>.*", "$1");

        JsonObject ceremony = service.admin()
                .get("/console/api/ceremonies?find=" + supportCode)
                .expect(200)
                .json()
                .objects("ceremonies")
                .get(0);

        assertThat(ceremony.string("ceremony")).isEqualTo("openid");
        assertThat(ceremony.object("cause").string("code")).isEqualTo("redirect_uri_mismatch");
        JsonObject event = ceremony.objects("events").get(0);
        assertThat(event.string("client")).isEqualTo(client.id());
        assertThat(event.string("parameter")).isEqualTo("redirect_uri");
        assertThat(event.string("expected")).isEqualTo(CALLBACK);
        assertThat(event.string("found")).isEqualTo("https://misspelled.example/callback");
        assertThat(service.admin().get("/admin/audit?limit=50").expect(200).body())
                .contains("client_authorize", "redirect_uri_mismatch");
    }
}
