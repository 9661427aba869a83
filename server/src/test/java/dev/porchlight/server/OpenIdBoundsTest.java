// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static dev.porchlight.server.LimitedService.LIMIT;
import static dev.porchlight.server.OpenIdClientAuthenticationTest.assertion;
import static dev.porchlight.server.OpenIdClientAuthenticationTest.proof;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.audit.AuditVerification;
import dev.porchlight.server.auth.DerivedKeys;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bounds of OpenID Connect: the size of tokens, the requests of a client, and the audit rows of a user. */
class OpenIdBoundsTest {
    /** The longest host name, with a port. */
    private static final String ISSUER =
            "https://" + ("a".repeat(60) + '.').repeat(3) + "b".repeat(58) + ".example.com:65535";

    private static final String LOGOUT_URI = "https://app.example/signed-out";

    /** As long as the headers that browsers send, with a few cookies of the site. */
    private static final String[] OF_A_BROWSER = {"User-Agent", "u".repeat(250), "Accept", "a".repeat(750)};

    /** A profile that fills a token, if the groups do not. */
    private static final String PROFILE = "{\"name\":\"" + "\u754c".repeat(100) + "\",\"email\":\"" + "e".repeat(60)
            + "@example.com\",\"claims\":{\"a\":\"" + "\\\"".repeat(400) + "\",\"b\":\"" + "b".repeat(500) + "\"}}";

    /** Group names of 64 characters fill the claim to its last character, if the last one is shorter. */
    @ParameterizedTest
    @CsvSource({"31, 35, true", "31, 36, false", "3000, 64, false"})
    void every_token_that_is_issued_is_accepted(int groups, int last, boolean inTokens) throws Exception {
        BlockingQueue<String> notices = new LinkedBlockingQueue<>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            notices.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        receiver.start();
        try (Service service = Service.on(
                TestDatabase.SQLITE,
                "RP_ID",
                "example.com",
                "RP_ORIGIN",
                ISSUER,
                "SIGNUP",
                "open",
                "SESSION_SECRET",
                Service.RANDOM_SECRET,
                "ADMIN_TOKEN",
                Service.RANDOM_SECRET.repeat(2))) {
            OpenIdClient client = OpenIdClient.register(
                    service.web().bearer(Service.RANDOM_SECRET.repeat(2)),
                    ",\"clientId\":\"" + "c".repeat(64)
                            + "\",\"idTokenAlgorithm\":\"RS256\",\"claims\":[\"a\",\"b\"],\"logoutUris\":[\""
                            + LOGOUT_URI + "\"],\"backChannelLogoutUri\":\"http://127.0.0.1:"
                            + receiver.getAddress().getPort() + "/\"");
            var person = service.person("\u754c".repeat(256), SoftAuthenticator.securityKey())
                    .enroll();
            service.withSql(sql -> {
                for (int i = 0; i < groups; i++) {
                    String name = Integer.toString(10_000 + i);
                    sql.update(
                            "INSERT INTO porchlight_group_member (group_name, user_id) VALUES (?, ?)",
                            name + "g".repeat((i == groups - 1 ? last : 64) - name.length()),
                            person.userId());
                }
                return groups;
            });

            service.web()
                    .bearer(Service.RANDOM_SECRET.repeat(2))
                    .patch("/admin/users/" + URLEncoder.encode(person.userId(), StandardCharsets.UTF_8), PROFILE)
                    .expect(204);

            for (String method : List.of("GET", "POST")) {
                Web browser = person.bySession();
                JsonObject tokens = boundTokens(client, browser, groups);
                SignedJWT id = SignedJWT.parse(tokens.string("id_token"));
                assertThat(id.getJWTClaimsSet().getClaims().containsKey("groups"))
                        .isEqualTo(inTokens);
                assertThat(id.getJWTClaimsSet().getClaims().containsKey("b")).isEqualTo(!inTokens);
                assertThat(client.signIn(browser, client.request("id_token_hint", id.serialize())))
                        .containsKey("code");

                assertThat(logout(service.web().with(OF_A_BROWSER), method, id.serialize())
                                .expect(303)
                                .header("Location"))
                        .startsWith(LOGOUT_URI);

                browser.get("/auth/session").expectProblem(401, "unauthenticated");
                assertThat(notices.poll(Patience.SECONDS, TimeUnit.SECONDS)).startsWith("logout_token=");
            }
        } finally {
            receiver.stop(0);
        }
    }

    private static TestResponse logout(Web web, String method, String idToken) {
        Map<String, String> request = new LinkedHashMap<>();
        request.put("id_token_hint", idToken);
        request.put("post_logout_redirect_uri", LOGOUT_URI);
        request.put("state", "s".repeat(500));
        return method.equals("GET")
                ? web.get("/oauth2/logout?" + OpenIdClient.form(request))
                : web.postForm("/oauth2/logout", request);
    }

    /** Signs in with the longest nonce, binds the access token to a key, and uses it. */
    private static JsonObject boundTokens(OpenIdClient client, Web browser, int groups) throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).generate();
        String code = client.signIn(browser, client.request("nonce", "\"".repeat(255)))
                .get("code");
        String redemption = proof(key, "POST", URI.create(ISSUER + "/oauth2/token"), Instant.now(), null);
        JsonObject tokens = client.post(
                        client.authenticated().with("DPoP", redemption), "/oauth2/token", client.redeeming(code))
                .expect(200)
                .json();
        String access = tokens.string("access_token");
        JsonObject user = client.web()
                .with(OF_A_BROWSER)
                .with("Authorization", "DPoP " + access)
                .with("DPoP", proof(key, "GET", URI.create(ISSUER + "/oauth2/userinfo"), Instant.now(), access))
                .get("/oauth2/userinfo")
                .expect(200)
                .json();
        assertThat((List<?>) user.get("groups")).hasSize(groups);
        return tokens;
    }

    @Test
    void a_client_has_a_budget_that_others_cannot_spend() {
        try (LimitedService limited = LimitedService.behindAProxy()) {
            OpenIdClient client = OpenIdClient.register(limited.service().admin(), "");
            OpenIdClient other = OpenIdClient.register(limited.service().admin(), "");
            for (int i = 0; i < 11 * LIMIT; i++) {
                Web stranger = limited.fromNewAddress().with("Authorization", OpenIdClient.basic(client.id(), "wrong"));
                client.post(stranger, "/oauth2/revoke", Map.of("token", "guess"))
                        .expect(401);
            }
            for (int i = 0; i < 10 * LIMIT; i++) {
                revoke(client, limited).expect(200);
            }

            TestResponse refused = revoke(client, limited);

            refused.expectProblem(429, "rate_limited");
            assertThat(refused.header("Retry-After")).isEqualTo("1"); // a request refills in 0.75 s
            assertThat(limited.service().metrics())
                    .contains("openid_requests_total{endpoint=\"revoke\",result=\"rate_limited\"} 1");
            revoke(other, limited).expect(200);
            limited.service().clock().advance(Duration.ofSeconds(1));
            revoke(client, limited).expect(200);
        }
    }

    /** Each request comes from another address, since a client has several machines. */
    private static TestResponse revoke(OpenIdClient client, LimitedService limited) {
        return client.at(limited.fromNewAddress()).authenticated().postForm("/oauth2/revoke", Map.of("token", "x"));
    }

    @Test
    void a_client_without_a_budget_stores_nothing_and_a_replayed_assertion_spends_none() throws Exception {
        try (LimitedService limited = LimitedService.behindAProxy()) {
            ECKey key = new ECKeyGenerator(Curve.P_256).keyID("k1").generate();
            String jwks = new JWKSet(key).toPublicJWKSet().toString();
            OpenIdClient client = OpenIdClient.register(limited.service().admin(), ",\"jwks\":" + jwks);
            Map<String, String> used = asserting(limited, client, key);
            used.put("client_id", client.id());
            limited.fromNewAddress().postForm("/oauth2/revoke", used).expect(200);
            for (int i = 0; i < 11 * LIMIT; i++) {
                limited.fromNewAddress().postForm("/oauth2/revoke", used).expect(401);
            }
            for (int i = 1; i < 10 * LIMIT; i++) {
                limited.fromNewAddress()
                        .postForm("/oauth2/revoke", asserting(limited, client, key))
                        .expect(200);
            }
            int rows = limited.service().rows("porchlight_openid_used").size();

            Map<String, String> late = asserting(limited, client, key);
            limited.fromNewAddress().postForm("/oauth2/revoke", late).expectProblem(429, "rate_limited");

            assertThat(limited.service().rows("porchlight_openid_used")).hasSize(rows);
            limited.service().clock().advance(Duration.ofSeconds(1));
            limited.fromNewAddress().postForm("/oauth2/revoke", late).expect(200);
        }
    }

    private static Map<String, String> asserting(LimitedService limited, OpenIdClient client, ECKey key)
            throws Exception {
        Map<String, String> request = new LinkedHashMap<>();
        request.put("token", "x");
        request.put("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
        request.put(
                "client_assertion",
                assertion(client.id(), key, limited.service().clock().instant()));
        return request;
    }

    @Test
    void a_user_in_a_loop_leaves_one_audit_row_in_five_minutes_on_two_instances_and_after_a_restart() {
        MovableClock clock = new MovableClock();
        String database = TestDatabase.SQLITE.freshUrl();
        String cookie;
        String sealed;
        try (Service one = Service.at(clock, database);
                Service other = Service.at(clock, database)) {
            OpenIdClient client = OpenIdClient.register(one.admin(), "");
            cookie = Person.cookie(one.newUser().enroll().login().expect(200));
            sealed = client.begin(client.request());
            clock.advance(Duration.ofSeconds(6)); // the other instance looks for clients again
            for (int i = 0; i < 10; i++) {
                proceed(i % 2 == 0 ? one : other, cookie, sealed);
            }
            assertThat(rows(one)).containsExactly(client.id() + " 0");

            clock.advance(Duration.ofMinutes(6));
            proceed(other, cookie, sealed);
            proceed(one, cookie, sealed);
            assertThat(rows(one)).containsExactly(client.id() + " 0", client.id() + " 9");
        }
        try (Service restarted = Service.at(clock, database)) {
            proceed(restarted, cookie, sealed);
            assertThat(rows(restarted)).hasSize(2);

            clock.advance(Duration.ofMinutes(6));
            proceed(restarted, cookie, sealed);
            assertThat(rows(restarted)).hasSize(3).last().asString().endsWith(" 2");
            proceed(
                    restarted,
                    Person.cookie(restarted.newUser().enroll().login().expect(200)),
                    sealed);
            assertThat(rows(restarted)).hasSize(4).last().asString().endsWith(" 0");
            assertThat(restarted
                            .admin()
                            .get("/admin/audit?limit=50")
                            .expect(200)
                            .body())
                    .contains("\"further\":2,");
            var result = restarted.withSql(sql -> new AuditVerification(
                            new AuditStore(sql), new DerivedKeys(Service.SECRET).forPurpose("audit chain"))
                    .verify());
            assertThat(result.faults()).isEmpty();
        }
    }

    @Test
    void a_repeated_consent_is_counted_and_one_after_a_revocation_has_a_row() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            OpenIdClient third = OpenIdClient.register(service.admin(), ",\"consent\":true");
            Web browser = service.newUser().enroll().bySession();
            String form = OpenIdFixture.consentForm(OpenIdClient.proceed(browser, third.begin(third.request())));
            for (int i = 0; i < 5; i++) {
                OpenIdFixture.decide(browser, form, "agree");
            }
            assertThat(rows(service)).containsExactly(third.id() + " 0");

            browser.delete("/auth/applications/" + third.id()).expect(204);
            OpenIdFixture.decide(browser, form, "agree");

            assertThat(rows(service)).containsExactly(third.id() + " 0", third.id() + " 4");
        }
    }

    @Test
    void a_user_who_agrees_and_revokes_in_a_loop_leaves_few_audit_rows_and_their_number() {
        try (Service service = Service.on(TestDatabase.SQLITE)) {
            OpenIdClient third = OpenIdClient.register(service.admin(), ",\"consent\":true");
            Web browser = service.newUser().enroll().bySession();
            String form = OpenIdFixture.consentForm(OpenIdClient.proceed(browser, third.begin(third.request())));
            for (int i = 0; i < 20; i++) {
                OpenIdFixture.decide(browser, form, "agree");
                browser.delete("/auth/applications/" + third.id()).expect(204);
            }
            assertThat(rows(service)).hasSize(5).containsOnly(third.id() + " 0");
            assertThat(rows(service, "client_consent_revoked")).hasSize(5).containsOnly(third.id() + " 0");

            service.clock().advance(Duration.ofMinutes(6));
            OpenIdFixture.decide(browser, form, "agree");
            browser.delete("/auth/applications/" + third.id()).expect(204);

            assertThat(rows(service)).hasSize(6).last().isEqualTo(third.id() + " 15");
            assertThat(rows(service, "client_consent_revoked"))
                    .hasSize(6)
                    .last()
                    .isEqualTo(third.id() + " 15");
        }
    }

    private static void proceed(Service service, String cookie, String sealed) {
        assertThat(OpenIdClient.response(OpenIdClient.proceed(service.web().cookie(cookie), sealed)))
                .containsKey("code");
    }

    /** The audit rows of sign-ins to clients, each with its client and count. */
    private static List<String> rows(Service service) {
        return rows(service, "client_authorize");
    }

    private static List<String> rows(Service service, String action) {
        return service.withSql(sql -> sql.query(
                "SELECT client_id, further FROM porchlight_audit WHERE action = ? ORDER BY at, seq",
                row -> row.getString(1) + ' ' + row.getLong(2),
                action));
    }
}
