// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static dev.porchlight.server.LimitedService.LIMIT;
import static dev.porchlight.server.LimitedService.OPTIONS;
import static dev.porchlight.server.LimitedService.REQUESTS;
import static dev.porchlight.server.LimitedService.exhaust;
import static dev.porchlight.server.LimitedService.options;
import static dev.porchlight.server.LimitedService.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.server.RedisServer;
import dev.porchlight.testkit.wire.JsonObject;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which requests share a budget: by address, by signed-in user, and by purpose. */
@Tag("slow")
class RateLimitBudgetTest {
    /** More requests than any budget. */
    private static final int MANY = 48;

    private static LimitedService limited;

    @BeforeAll
    static void start() {
        limited = LimitedService.behindAProxy();
    }

    @AfterAll
    static void stop() {
        limited.close();
    }

    @Test
    void operators_and_users_at_one_address_have_separate_budgets() {
        Web users = limited.fromNewAddress();
        exhaust(users);
        options(users).expectProblem(429, "rate_limited");
        users.bearer(Service.ADMIN_TOKEN).get("/console/api/ceremonies").expect(200);

        Web guesser = limited.fromNewAddress();
        for (int i = 0; i <= LIMIT; i++) {
            guesser.bearer("a guess at the token").get("/admin/request");
        }
        guesser.bearer("another guess").get("/admin/request").expectProblem(429, "rate_limited");
        options(guesser).expect(200);
    }

    @Test
    void the_right_admin_token_is_never_limited() {
        Web operator = limited.fromNewAddress();
        for (int i = 0; i <= LIMIT; i++) {
            operator.bearer("a guess at the token").get("/admin/request");
        }
        for (int i = 0; i <= REQUESTS; i++) {
            operator.bearer(Service.ADMIN_TOKEN).get("/admin/request").expect(200);
        }
    }

    /** A page of any site can send them in a loop, with the browser of each visitor. */
    @Test
    void requests_that_other_sites_can_send_do_not_limit_sign_ins_at_the_address() {
        Web web = limited.fromNewAddress();
        for (int i = 0; i <= OPTIONS; i++) {
            web.with("Sec-Fetch-Site", "cross-site").get("/oauth2/authorize");
        }
        web.get("/oauth2/authorize").expectProblem(429, "rate_limited");
        web.get("/oauth2/logout").expectProblem(429, "rate_limited");
        limited.guess(web, 0).expectProblem(429, "rate_limited");

        user(web, "a visitor").login().expect(200);
    }

    @Test
    void an_attacker_at_one_address_does_not_lock_the_owner_out() {
        Person owner = user(limited.fromNewAddress(), "an attacked user");
        Web attacker = limited.fromNewAddress();
        for (int i = 0; i < MANY; i++) {
            options(attacker, owner.userId());
            attacker.post(Person.LOGIN_FINISH + Web.user(owner.userId()), "{}");
        }

        owner.login().expect(200);
    }

    @Test
    void requests_from_many_addresses_never_limit_the_named_user() {
        Person owner = user(limited.fromNewAddress(), "a user attacked from many addresses");
        String underWay = owner.assertion();
        for (int i = 0; i < 5 * MANY; i++) {
            Web attacker = limited.fromNewAddress();
            options(attacker, owner.userId()).expect(200);
            attacker.post(Person.LOGIN_FINISH + Web.user(owner.userId()), "{}").expect(401);
        }

        owner.finishLogin(underWay).expect(200);
        owner.login().expect(200);
        options(limited.fromNewAddress(), owner.userId()).expect(200);
    }

    @Test
    void a_signed_in_user_is_served_while_failed_logins_at_the_same_address_are_limited() {
        Web address = limited.fromNewAddress();
        Person user = user(address, "a colleague");
        Web bySession = user.bySession();
        Web byToken = user.byToken();
        for (int i = 0; i < MANY; i++) {
            address.post(Person.LOGIN_FINISH, "{}");
            address.bearer("guess " + i).get("/auth/session");
        }
        options(address).expectProblem(429, "rate_limited");
        address.bearer("another guess").get("/auth/session").expectProblem(429, "rate_limited");

        for (int i = 0; i < LIMIT; i++) {
            bySession.get("/auth/session").expect(200);
            byToken.get(Person.CREDENTIALS).expect(200);
        }
        bySession.post("/auth/logout").expect(204);
    }

    @Test
    void a_user_has_a_separate_budget_at_each_address() {
        Web address = limited.fromNewAddress();
        Person one = user(address, "one of two");
        Person other = user(address, "the other of two");
        String token = one.login().expect(200).json().string("token");
        Web otherUser = other.bySession();
        Web reading = address.bearer(token);
        for (int i = 0; i < REQUESTS; i++) {
            reading.get("/auth/session").expect(200);
        }

        TestResponse refused = reading.get("/auth/session");
        refused.expectProblem(429, "rate_limited");
        assertThat(refused.header("Retry-After")).isEqualTo("2"); // a request refills in 1.5 s
        otherUser.get("/auth/session").expect(200);
        limited.fromNewAddress().bearer(token).get("/auth/session").expect(200);
        options(address).expect(200);
    }

    @Test
    void a_refresh_of_a_public_client_counts_for_the_user_and_is_refused_before_the_token_is_used() {
        Web address = limited.fromNewAddress();
        Person user = user(address, "a user of a page");
        Map<String, String> redeem = limited.spa().redeeming(limited.spa().code(user.bySession()));
        TestResponse response =
                limited.spa().post(address, "/oauth2/token", redeem).expect(200);
        String token = "";
        for (int i = 0; i <= REQUESTS && response.status() == 200; i++) {
            token = response.json().string("refresh_token");
            response = limited.spa()
                    .post(address, "/oauth2/token", Map.of("grant_type", "refresh_token", "refresh_token", token));
        }

        response.expectProblem(429, "rate_limited");
        limited.service().clock().advance(Duration.ofMinutes(1));
        limited.spa()
                .post(address, "/oauth2/token", Map.of("grant_type", "refresh_token", "refresh_token", token))
                .expect(200);
    }

    private static String proof(ECKey key, String method, String path, String accessToken) throws Exception {
        return OpenIdClientAuthenticationTest.proof(
                key,
                method,
                URI.create("http://localhost" + path),
                limited.service().clock().instant(),
                accessToken);
    }

    @Test
    void proofs_are_not_stored_for_ended_sign_ins_nor_beyond_the_limit_of_the_user() throws Exception {
        Web address = limited.fromNewAddress();
        Person user = user(address, "a prover");
        Web session = user.bySession();
        ECKey key = new ECKeyGenerator(Curve.P_256).generate();
        JsonObject tokens = limited.spa()
                .post(
                        address.with("DPoP", proof(key, "POST", "/oauth2/token", null)),
                        "/oauth2/token",
                        limited.spa().redeeming(limited.spa().code(session)))
                .expect(200)
                .json();
        String access = tokens.string("access_token");
        Map<String, String> refresh =
                Map.of("grant_type", "refresh_token", "refresh_token", tokens.string("refresh_token"));
        for (int i = 0; i < REQUESTS; i++) {
            session.get("/auth/session");
        }
        int before = limited.service().rows("porchlight_openid_used").size();

        address.with("Authorization", "DPoP " + access)
                .with("DPoP", proof(key, "GET", "/oauth2/userinfo", access))
                .get("/oauth2/userinfo")
                .expectProblem(429, "rate_limited");
        limited.service().clock().advance(Duration.ofSeconds(10));
        session.post("/auth/logout").expect(204);
        limited.spa()
                .post(address.with("DPoP", proof(key, "POST", "/oauth2/token", null)), "/oauth2/token", refresh)
                .expect(400);

        assertThat(limited.service().rows("porchlight_openid_used")).hasSize(before);
    }

    @Test
    void signing_out_keeps_the_cookie_when_it_is_refused() {
        Web address = limited.fromNewAddress();
        Web user = user(address, "a busy reader").bySession();
        for (int i = 0; i < REQUESTS; i++) {
            user.get("/auth/session").expect(200);
        }

        TestResponse refused = user.post("/auth/logout");

        refused.expectProblem(429, "rate_limited");
        assertThat(refused.header("Set-Cookie")).isNull();
    }

    @Test
    void a_successful_ceremony_costs_one_and_a_failed_one_a_quarter_more() {
        Web address = limited.fromNewAddress();
        Person user = user(address, "a frequent user"); // a sign-up and a registration
        for (int i = 2; i < LIMIT; i++) {
            user.login().expect(200);
        }
        options(address).expectProblem(429, "rate_limited");

        limited.service().clock().advance(Duration.ofMinutes(1));
        for (int i = 0; i < 7; i++) {
            options(address).expect(200);
            user.finishLogin("{}").expect(401);
        }
        assertThat(options(address).expect(429).header("Retry-After")).isEqualTo("8");
    }

    @Test
    void two_hundred_people_behind_one_address_sign_in_within_two_minutes() {
        try (Service service = Service.on(TestDatabase.SQLITE, "RATE_LIMIT_PER_MINUTE", "120")) {
            List<Person> people = IntStream.range(0, 4)
                    .mapToObj(i ->
                            service.newUser(SoftAuthenticator.syncedPasskeys()).enroll())
                    .toList();
            service.clock().advance(Duration.ofMinutes(1));
            for (int i = 0; i < 200; i++) {
                Person person = people.get(i % people.size());
                service.web().get(Person.LOGIN_OPTIONS).expect(200); // when the page opens
                TestResponse login = person.login().expect(200); // with the button, which requests options again
                service.web()
                        .bearer(login.json().string("token"))
                        .get(Person.CREDENTIALS)
                        .expect(200);
                service.web()
                        .post("/auth/passkey/report", "{\"ceremony\":\"login\",\"outcome\":\"ok\"}")
                        .expect(204);
                service.clock().advance(Duration.ofMillis(600));
            }
        }
    }

    @Test
    void an_address_gets_exactly_its_budget_of_logins_per_minute() {
        try (Service service = Service.on(TestDatabase.SQLITE, "RATE_LIMIT_PER_MINUTE", "20")) {
            Person person = service.newUser(SoftAuthenticator.syncedPasskeys()).enroll();
            service.clock().advance(Duration.ofMinutes(1));
            for (int i = 0; i < 20; i++) {
                person.login().expect(200);
            }
            for (int i = 0; i < 3 * 20; i++) {
                options(service.web()).expectProblem(429, "rate_limited");
                service.clock().advance(Duration.ofSeconds(3));
                person.login().expect(200);
            }
        }
    }

    /** Two instances with a shared store together serve the budget of one, within five percent. */
    @Test
    void an_address_has_one_budget_at_two_instances() throws Exception {
        int budget = 40;
        String[] variables = {"REDIS_URL", "", "RATE_LIMIT_PER_MINUTE", Integer.toString(budget)};
        try (RedisServer redis = TestRedis.start()) {
            variables[1] = redis.url();
            String database = TestDatabase.SQLITE.freshUrl();
            try (Service one = Service.at(database, variables);
                    Service other = Service.at(database, variables)) {
                long served = IntStream.range(0, budget + 10)
                        .mapToObj(i -> (i % 2 == 0 ? one : other).web().post(Person.LOGIN_FINISH, "{}"))
                        .filter(response -> response.status() != 429)
                        .count();

                assertThat(served).isBetween(budget * 95L / 100, budget * 105L / 100);
                signUp(one).expectProblem(429, "rate_limited");
                signUp(other).expectProblem(429, "rate_limited");
            }
        }
    }

    private static TestResponse signUp(Service service) {
        return service.web().post("/auth/signup", "{\"userId\":\"ada\"}");
    }
}
