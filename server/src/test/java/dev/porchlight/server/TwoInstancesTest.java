// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.server.RedisServer;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Two instances on one PostgreSQL and one Redis act as one service. */
@TestInstance(Lifecycle.PER_CLASS)
class TwoInstancesTest {
    private static final int LIMIT = 200;
    private static final String END_OF_TRACE = "77abcdef01230123456789abcdef";

    private RedisServer redis;
    private Service one;
    private Service other;

    @BeforeAll
    void start() {
        redis = TestRedis.start();
        String database = TestDatabase.POSTGRES.freshUrl();
        one = Service.at(database, "REDIS_URL", redis.url(), "RATE_LIMIT_PER_MINUTE", Integer.toString(LIMIT));
        other = Service.at(database, "REDIS_URL", redis.url(), "RATE_LIMIT_PER_MINUTE", Integer.toString(LIMIT));
    }

    @AfterAll
    void stop() throws IOException {
        if (other != null) {
            one.close();
            other.close();
        }
        redis.close();
    }

    @BeforeEach
    void resetRateLimits() throws IOException {
        redis.flush();
    }

    @Test
    void a_session_is_shared_and_ends_on_both_instances_at_once() {
        TestResponse login = one.newUser().enroll().login().expect(200);
        Web here = one.web().with("Cookie", Person.cookie(login));
        Web there = other.web().with("Cookie", Person.cookie(login));
        there.get("/auth/session").expect(200);
        there.get("/auth/sessions").expect(200);

        there.post("/auth/logout").expect(204);

        here.get("/auth/session").expectProblem(401, "unauthenticated");
    }

    @Test
    void options_of_known_and_unknown_users_are_the_same_at_both_instances() {
        String database = TestDatabase.POSTGRES.freshUrl();
        MovableClock clock = new MovableClock();
        try (Service here = Service.at(clock, database);
                Service there = Service.at(clock, database)) {
            List<String> names = new ArrayList<>(List.of("known user"));
            for (int i = 0; i < 40; i++) {
                names.add("unknown user " + i);
            }
            List<String> common = offered(here, names);
            assertThat(offered(there, names)).isEqualTo(common);
            here.person("known user", SoftAuthenticator.securityKey()).enroll();
            assertSameOffers(here, there, names);
            // One instance has just read the table when the other one saves the next.
            clock.advance(Duration.ofMillis(1_900));
            offered(there, names);
            clock.advance(Duration.ofMillis(100));
            offered(here, names);
            await().until(() -> !here.rows("passkey_decoy").isEmpty());
            assertSameOffers(here, there, names);

            for (int halfSeconds = 0; halfSeconds < 20; halfSeconds++) {
                if (halfSeconds == 10) { // with transports that no decoy has
                    there.person(
                                    "unusual user",
                                    SoftAuthenticator.builder()
                                            .transports("ble", "smart-card")
                                            .build())
                            .enroll();
                }
                assertSameOffers(here, there, names);
                clock.advance(Duration.ofMillis(500));
            }
            assertThat(offered(here, names)).isNotEqualTo(common);
            assertThat(offered(there, names).toString()).contains("smart-card");
        }
    }

    private static void assertSameOffers(Service here, Service there, List<String> names) {
        List<String> before = offered(here, names);
        List<String> between = offered(there, names);
        List<String> after = offered(here, names);
        for (int i = 0; i < names.size(); i++) { // both may change between two requests
            assertThat(between.get(i)).as(names.get(i)).isIn(before.get(i), after.get(i));
        }
    }

    /** The ids and transports of the passkeys that are offered to each of these users. */
    private static List<String> offered(Service service, List<String> names) {
        return names.stream()
                .map(name -> service.web()
                        .get(Person.LOGIN_OPTIONS + Web.user(name))
                        .expect(200)
                        .json())
                .map(options -> options.get("allowCredentials").toString())
                .toList();
    }

    @Test
    void ceremonies_can_finish_at_the_other_instance() {
        var key = SoftAuthenticator.securityKey();
        Person here = one.person("user at both", key);
        Person there = other.person("user at both", key);
        there.register(here.enrollmentToken()).expect(201);

        TestResponse login = there.finishLogin(here.assertion());

        login.expect(200);
        one.web().bearer(login.json().string("token")).get("/auth/session").expect(200);
    }

    @Test
    void one_of_16_copies_of_a_code_or_refresh_token_succeeds_across_instances() throws Exception {
        OpenIdClient here = OpenIdClient.register(one.admin(), "");
        OpenIdClient there = here.at(other.web());
        other.clock().advance(Duration.ofSeconds(6)); // looks for clients again
        for (boolean refresh : new boolean[] {false, true}) {
            redis.flush();
            String code = here.code(one.newUser().enroll().bySession());
            String token = refresh ? there.redeem(code).expect(200).json().string("refresh_token") : code;
            List<Callable<TestResponse>> acts = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                OpenIdClient instance = i % 2 == 0 ? here : there;
                acts.add(() -> refresh ? instance.refresh(token) : instance.redeem(token));
            }

            List<TestResponse> responses = Together.run(acts);

            List<TestResponse> winners =
                    responses.stream().filter(it -> it.status() == 200).toList();
            assertThat(winners).as("refresh %s", refresh).hasSize(1);
            assertThat(responses).allMatch(it -> it.status() == 200 || it.status() == 400);
            for (TestResponse winner : winners) { // the copies revoked what it yielded
                there.refresh(winner.json().string("refresh_token")).expect(400);
                here.userinfo(winner.json().string("access_token")).expect(401);
            }
        }
    }

    @Test
    void T02_one_of_64_copies_of_an_assertion_succeeds_across_instances() throws Exception {
        var key = SoftAuthenticator.securityKey();
        Person here = one.person("impatient user", key).enroll();
        Person there = other.person("impatient user", key);
        for (int round = 0; round < 3; round++) {
            redis.flush();
            String assertion = here.assertion();
            List<Callable<Integer>> acts = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                Person instance = i % 2 == 0 ? here : there;
                acts.add(() -> instance.finishLogin(assertion).status());
            }

            assertThat(Together.run(acts))
                    .containsOnlyOnce(200)
                    // 503 for requests that waited too long, on a machine that is busy with other tests
                    .allMatch(status -> status == 200 || status == 400 || status == 401 || status == 503);
        }
    }

    @Test
    void a_support_code_is_found_at_the_other_instance_until_the_user_is_erased() {
        Person person = one.newUser().enroll();
        one.web()
                .post(Person.LOGIN_FINISH, "{\"id\":\"\\u0000\",\"response\":{\"userHandle\":\"\\u0000\"}}")
                .expect(401);
        List<String> refusedByPostgres = List.of("0000", "d800"); // which must not hold up the others
        for (String character : refusedByPostgres) {
            one.web()
                    .with("traceparent", "00-" + character + END_OF_TRACE + "-0123456789abcdef-01")
                    .post("/auth/signup", "{\"userId\":\"\\u" + character + "\"}")
                    .expect(400);
        }
        JsonObject tampered = JsonObject.parse(person.assertion());
        tampered.object("response").put("signature", "AAAA");
        one.web()
                .with("traceparent", "00-9b8977abcdef01230123456789abcdef-0123456789abcdef-01")
                .post(Person.LOGIN_FINISH + Web.user(person.userId()), tampered.toString())
                .expect(401);
        JsonObject question = new JsonObject().put("code", "KE-4QF");

        await().untilAsserted(() -> assertThat(found("KE-4QF")).hasSize(1));

        JsonObject ceremony = found("KE-4QF").get(0);
        assertThat(ceremony.string("state")).isEqualTo("refused");
        assertThat(ceremony.flag("kept")).isTrue();
        assertThat(ceremony.object("cause").string("code")).isEqualTo("bad_signature");
        assertThat(ceremony).hasToString(ceremonies(one, "KE-4QF").get(0).toString());
        assertThat(found(person.userId())).hasSize(1);
        for (String character : refusedByPostgres) {
            assertThat(other.admin()
                            .get("/admin/ceremonies/" + character + END_OF_TRACE)
                            .expect(200)
                            .json()
                            .flag("complete"))
                    .isTrue();
        }
        JsonObject explained = JsonObject.parse(other.admin()
                .post("/console/api/explain", question.toString())
                .expect(200)
                .body());
        assertThat(explained.object("refusal").string("user")).isEqualTo(person.userId());
        assertThat(other.rows("porchlight_failed_ceremony"))
                .hasSize(4)
                .noneMatch(row -> row.contains(person.userId())
                        || row.contains(person.credentialId())
                        || row.contains("KE-4QF")
                        || row.contains("9b8977abcdef")
                        || row.contains("127.0.0.1"));

        other.admin()
                .delete("/admin/users/" + person.userId().replace(" ", "%20"))
                .expect(204);

        assertThat(found("KE-4QF")).isEmpty();
        other.admin().post("/console/api/explain", question.toString()).expectProblem(404, "response_not_kept");
        assertThat(other.rows("porchlight_failed_ceremony")).hasSize(3); // of no user
    }

    private List<JsonObject> found(String text) {
        return ceremonies(other, text);
    }

    private static List<JsonObject> ceremonies(Service service, String text) {
        String path = "/console/api/ceremonies?find=" + text.replace(" ", "%20");
        return JsonObject.parse(service.admin().get(path).expect(200).body()).objects("ceremonies");
    }

    @Test
    void redis_contains_only_rate_limits_without_personal_data_that_expire() {
        Person person = one.newUser().enroll();
        String cookie = Person.cookie(person.login().expect(200));
        // a key expires as soon as its limit has no effect any more, which may be before it is read
        await().untilAsserted(() -> {
            one.web().get(Person.LOGIN_OPTIONS + Web.user(person.userId())).expect(200);
            StringBuilder everything = new StringBuilder();
            for (String key : redis.command("KEYS", "*").lines().toList()) {
                assertThat(key).matches("porchlight:(limit|probe):.*");
                everything.append(key).append(redis.command("DUMP", key));
                // -1 is a key without an expiry, and -2 one that has expired since it was listed
                assertThat(Long.parseLong(redis.command("PTTL", key))).as(key).isNotEqualTo(-1);
            }

            assertThat(everything.toString())
                    .contains("porchlight:limit:ceremonies:")
                    .doesNotContain(person.userId(), cookie.substring(cookie.indexOf('=') + 1), "127.0.0.1");
        });
    }
}
