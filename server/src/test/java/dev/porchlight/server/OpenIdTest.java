// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** OpenID Connect: the tokens that a client gets, and how they end. */
class OpenIdTest extends OpenIdFixture {
    @Test
    void without_a_client_every_endpoint_is_absent() {
        try (Service empty = Service.on(TestDatabase.SQLITE)) {
            empty.web().get("/.well-known/openid-configuration").expectProblem(404, "not_found");
            empty.web().get("/oauth2/authorize?client_id=x").expectProblem(404, "not_found");
            empty.web().get("/oauth2/userinfo").expectProblem(404, "not_found");
            Web browser = empty.web().with("Accept", "text/html");
            for (String path : List.of("/oauth2/authorize?client_id=x", "/oauth2/logout", "/oauth2/continue")) {
                assertThat(browser.get(path).expect(404).header("Content-Type")).startsWith("text/html");
            }
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
        for (String endpoint : List.of("token", "revocation")) {
            assertThat(document.get(endpoint + "_endpoint_auth_methods_supported"))
                    .isEqualTo(List.of("client_secret_basic", "client_secret_post", "private_key_jwt", "none"));
            assertThat(document.get(endpoint + "_endpoint_auth_signing_alg_values_supported"))
                    .isEqualTo(List.of("ES256", "PS256", "RS256"));
        }
    }

    @Test
    void a_user_signs_in_and_the_client_gets_tokens() throws Exception {
        Person person = service.newUser().enroll();
        Map<String, String> response = client.signIn(person.bySession(), client.request());
        assertThat(response).containsEntry("state", "the state").containsEntry("iss", "http://localhost");

        JsonObject tokens = client.redeem(response.get("code")).expect(200).json();

        JWTClaimsSet id = claims(tokens.string("id_token"));
        assertThat(id.getIssuer()).isEqualTo("http://localhost");
        String subject = service.subject(person);
        assertThat(subject).hasSize(43).doesNotContain(person.userId());
        assertThat(id.getSubject()).isEqualTo(subject);
        assertThat(id.getStringClaim("preferred_username")).isEqualTo(person.userId());
        assertThat(id.getAudience()).containsExactly(client.id());
        assertThat(id.getStringClaim("nonce")).isEqualTo("the nonce");
        assertThat(id.getStringClaim("acr")).isEqualTo("phr");
        assertThat(id.getLongClaim("auth_time")).isPositive();
        SignedJWT access = SignedJWT.parse(tokens.string("access_token"));
        assertThat(access.getHeader().getType()).isEqualTo(new JOSEObjectType("at+jwt"));
        assertThat(access.getJWTClaimsSet().getSubject()).isEqualTo(subject);
        assertThat(access.getJWTClaimsSet().getAudience()).containsExactly(client.id());
        JsonObject user =
                client.userinfo(tokens.string("access_token")).expect(200).json();
        assertThat(user.string("sub")).isEqualTo(subject);
        assertThat(user.string("preferred_username")).isEqualTo(person.userId());
    }

    @Test
    void the_subject_of_an_erased_user_is_not_given_again() {
        Person erased = service.newUser().enroll();
        String token = client.tokens(erased.bySession()).string("id_token");
        service.admin().delete("/admin/users/" + encoded(erased)).expect(204);

        service.person(erased.userId(), SoftAuthenticator.securityKey())
                .signUp()
                .expectProblem(409, "user_exists");

        Map<String, String> forErased = client.request("id_token_hint", token);
        forErased.put("prompt", "none");
        assertThat(client.signIn(signedIn(), forErased)).containsEntry("error", "login_required");
    }

    @Test
    void an_imported_user_without_a_handle_is_named_by_the_id() throws Exception {
        Person person = service.newUser().enroll();
        service.withSql(
                sql -> sql.update("UPDATE passkey_user SET user_handle = NULL WHERE user_id = ?", person.userId()));
        Web browser = person.bySession();
        JsonObject tokens = client.tokens(browser);

        assertThat(claims(tokens.string("id_token")).getSubject()).isEqualTo(person.userId());
        assertThat(client.userinfo(tokens.string("access_token"))
                        .expect(200)
                        .json()
                        .string("sub"))
                .isEqualTo(person.userId());
        Map<String, String> hinted = client.request("id_token_hint", tokens.string("id_token"));
        assertThat(client.signIn(browser, hinted)).containsKey("code");
    }

    @Test
    void the_services_own_token_and_the_id_token_agree_on_the_sign_in() throws Exception {
        Person person = service.newUser().enroll();
        TestResponse login = person.login().expect(200);
        String code = client.code(Person.cookie(login));

        JWTClaimsSet own = claims(login.json().string("token"));
        JWTClaimsSet id = claims(client.redeem(code).expect(200).json().string("id_token"));

        for (String claim : List.of("acr", "amr", "auth_time", "iss")) {
            assertThat(id.getClaim(claim)).as(claim).isEqualTo(own.getClaim(claim));
        }
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
        Map<String, String> request = client.redeeming(code);
        request.put(name, value);

        assertThat(client.token(request).expect(400).json().string("code")).isEqualTo(reason);
        client.redeem(code).expect(200); // a stranger who finds the code cannot use it up
    }

    @Test
    void a_used_code_without_its_verifier_or_from_another_client_ends_nothing() {
        String code = client.code(signedIn());
        JsonObject tokens = client.redeem(code).expect(200).json();
        String refreshToken = tokens.string("refresh_token");
        OpenIdClient stranger = OpenIdClient.register(service.admin(), ",\"public\":true");
        OpenIdClient other = OpenIdClient.register(service.admin(), "");
        Map<String, String> found = client.redeeming(code);
        found.remove("code_verifier");

        for (OpenIdClient who : List.of(stranger, other, client)) {
            who.token(found).expect(400);
        }
        for (OpenIdClient who : List.of(stranger, other)) {
            who.redeem(code).expect(400);
            who.refresh(refreshToken).expect(400);
        }
        service.clock().advance(Duration.ofSeconds(75));
        stranger.redeem(code).expect(400);

        client.userinfo(tokens.string("access_token")).expect(200);
        client.refresh(refreshToken).expect(200);
    }

    @Test
    void a_code_of_another_client_is_refused() {
        OpenIdClient other = OpenIdClient.register(service.admin(), "");

        assertThat(other.redeem(client.code(signedIn())).expect(400).json().string("code"))
                .isEqualTo("code_client_mismatch");
    }

    @Test
    void refresh_tokens_rotate_and_a_reused_one_revokes_all() throws Exception {
        JsonObject first = client.redeem(client.code(signedIn())).expect(200).json();
        JsonObject second =
                client.refresh(first.string("refresh_token")).expect(200).json();
        JWTClaimsSet before = claims(first.string("id_token"));
        JWTClaimsSet after = claims(second.string("id_token"));
        assertThat(after.getClaim("nonce")).isNull();
        assertThat(List.of(after.getSubject(), after.getIssuer(), after.getAudience(), after.getClaim("auth_time")))
                .isEqualTo(List.of(
                        before.getSubject(), before.getIssuer(), before.getAudience(), before.getClaim("auth_time")));

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
    @ValueSource(booleans = {false, true})
    void a_used_code_revokes_nothing_and_a_used_refresh_token_only_for_a_client_with_a_secret(boolean isPublic) {
        OpenIdClient app = OpenIdClient.register(service.admin(), isPublic ? ",\"public\":true" : "");
        String code = app.code(signedIn());
        String first = app.redeem(code).expect(200).json().string("refresh_token");
        String second = app.refresh(first).expect(200).json().string("refresh_token");
        app.post(app.authenticated(), "/oauth2/revoke", Map.of("token", code)).expect(200);
        String latest = app.refresh(second).expect(200).json().string("refresh_token");

        app.post(app.authenticated(), "/oauth2/revoke", Map.of("token", second)).expect(200);

        app.refresh(latest).expect(isPublic ? 200 : 400);
    }

    @Test
    void id_tokens_are_signed_with_rs256_or_as_the_client_asks() throws Exception {
        for (String settings : List.of("", ",\"idTokenAlgorithm\":\"ES256\"")) {
            OpenIdClient asking = OpenIdClient.register(service.admin(), settings);

            String idToken = asking.tokens(signedIn()).string("id_token");

            assertThat(SignedJWT.parse(idToken).getHeader().getAlgorithm())
                    .isEqualTo(settings.isEmpty() ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256);
            assertThat(claims(idToken).getAudience()).containsExactly(asking.id());
        }
    }

    @Test
    void every_instance_publishes_the_keys_of_all_algorithms_before_the_first_client_is_registered() throws Exception {
        try (Service fresh = Service.on(TestDatabase.SQLITE);
                Service other = Service.at(fresh.databaseUrl())) {
            JWKSet cached =
                    JWKSet.parse(other.web().get("/.well-known/jwks.json").body());
            Web browser = fresh.newUser().enroll().bySession();

            for (String algorithm : List.of("RS256", "ES256")) {
                OpenIdClient asking =
                        OpenIdClient.register(fresh.admin(), ",\"idTokenAlgorithm\":\"" + algorithm + "\"");
                JWSHeader signed = SignedJWT.parse(asking.tokens(browser).string("id_token"))
                        .getHeader();

                assertThat(signed.getAlgorithm().getName()).isEqualTo(algorithm);
                assertThat(cached.getKeyByKeyId(signed.getKeyID())).isNotNull();
            }
        }
    }

    @Test
    void an_access_token_is_accepted_by_every_instance() {
        try (Service fresh = Service.on(TestDatabase.SQLITE);
                Service other = Service.at(fresh.databaseUrl())) {
            OpenIdClient asking = OpenIdClient.register(fresh.admin(), "");
            String token = asking.tokens(fresh.newUser().enroll().bySession()).string("access_token");
            other.clock().advance(Duration.ofSeconds(5)); // after which it looks again whether there is a client

            for (Service instance : List.of(fresh, other)) {
                asking.at(instance.web()).userinfo(token).expect(200);
                asking.at(instance.web()).userinfo(token + "A").expect(401);
            }
        }
    }

    @Test
    void a_removed_client_loses_its_tokens() {
        OpenIdClient removed = OpenIdClient.register(service.admin(), "");
        JsonObject tokens = removed.redeem(removed.code(signedIn())).expect(200).json();

        service.admin().delete("/admin/clients/" + removed.id()).expect(204);

        removed.userinfo(tokens.string("access_token")).expect(401);
        removed.refresh(tokens.string("refresh_token")).expect(401);
    }

    @Test
    void a_sign_out_that_cannot_end_the_tokens_can_be_repeated() {
        Web browser = signedIn();
        JsonObject tokens = client.redeem(client.code(browser)).expect(200).json();
        String session =
                browser.get("/auth/sessions").json().objects("sessions").get(0).string("session");
        execute(
                "CREATE TRIGGER stuck BEFORE DELETE ON porchlight_openid_authorization BEGIN SELECT RAISE(ABORT, 'stuck');"
                        + " END");
        try {
            assertThat(browser.post("/auth/logout").status()).isGreaterThanOrEqualTo(500);
            assertThat(browser.delete("/auth/sessions/" + session).status()).isGreaterThanOrEqualTo(500);
        } finally {
            execute("DROP TRIGGER stuck");
        }
        browser.get("/auth/session").expect(200);

        browser.delete("/auth/sessions/" + session).expect(204);

        client.refresh(tokens.string("refresh_token")).expect(400);
    }

    @Test
    void a_session_that_ends_while_its_code_is_issued_yields_none() {
        Web browser = signedIn();
        String sealed = client.begin(client.request());
        int before = service.rows("porchlight_openid_authorization").size();
        // As if the user signed out elsewhere after the request was authenticated.
        execute("CREATE TRIGGER signs_out AFTER UPDATE ON passkey_user"
                + " BEGIN DELETE FROM porchlight_sealed_entry WHERE kind = 'session'; END");
        try {
            assertThat(OpenIdClient.proceed(browser, sealed).expect(303).header("Location"))
                    .startsWith("/?request=");
        } finally {
            execute("DROP TRIGGER signs_out");
        }

        browser.get("/auth/session").expect(401);
        assertThat(service.rows("porchlight_openid_authorization")).hasSizeLessThanOrEqualTo(before);
    }

    @Test
    void claims_follow_the_granted_scopes() throws Exception {
        Map<String, String> request = client.request();
        request.put("scope", "openid");
        TestResponse response =
                client.redeem(client.signIn(signedIn(), request).get("code")).expect(200);

        assertThat(response.header("Cache-Control")).isEqualTo("no-store");
        assertThat(response.json().string("scope")).isEqualTo("openid");
        assertThat(claims(response.json().string("id_token")).getClaims())
                .doesNotContainKeys("groups", "name", "preferred_username");
        assertThat(client.userinfo(response.json().string("access_token"))
                        .expect(200)
                        .json()
                        .names())
                .containsExactly("sub");
    }
}
