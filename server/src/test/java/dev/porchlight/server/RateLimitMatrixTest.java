// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static dev.porchlight.server.OpenIdClientAuthenticationTest.proof;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.redis.RedisServer;
import dev.porchlight.testkit.wire.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How many of 48 requests are served when an address may start eight ceremonies per minute, by sender, source address and
 * claimed address. Limits on concurrent work are in {@code CrowdedTest}.
 */
@Tag("slow")
class RateLimitMatrixTest {
    private static final int FLOOD = 48;
    private static final int LIMIT = 8;
    /** Options cost a quarter of a ceremony. */
    private static final int OPTIONS = 4 * LIMIT;
    /** The requests of a signed-in user, and the reports of an address. */
    private static final int REQUESTS = 5 * LIMIT;

    private static final AtomicInteger ADDRESSES = new AtomicInteger();

    /** A service behind a trusted proxy, which lets the tests use any address. */
    private static Service behindAProxy;
    /** A client of that service, which anyone can pretend to be. */
    private static OpenIdClient spa;
    /** A service without trusted proxies, whose budget for this machine is used up. */
    private static Service alone;

    /** A flood and the number of its requests that are served. */
    private record Flood(String name, Service at, BiFunction<Web, Integer, TestResponse> request, int served) {
        @Override
        public String toString() {
            return name + ": " + served + " of " + FLOOD;
        }
    }

    @BeforeAll
    static void start() {
        behindAProxy = limited("TRUSTED_PROXIES", "127.0.0.0/8");
        spa = OpenIdClient.register(behindAProxy, ",\"public\":true");
        alone = limited();
    }

    @AfterAll
    static void stop() {
        alone.close();
        behindAProxy.close();
    }

    static Stream<Flood> oneAddress() {
        return Stream.of(
                fromOne("requesting options", (web, i) -> options(web), OPTIONS),
                fromOne(
                        "as another browser each time",
                        (web, i) -> options(web.with("User-Agent", "browser " + i)),
                        OPTIONS),
                fromOne("requesting another user each time", (web, i) -> options(web, "user " + i), OPTIONS),
                fromOne("failing to finish logins", (web, i) -> web.post(Person.LOGIN_FINISH, "{}"), LIMIT),
                fromOne("finishing logins without a body", (web, i) -> web.post(Person.LOGIN_FINISH), LIMIT),
                fromOne(
                        "registering with invented tokens",
                        (web, i) -> web.bearer("guess " + i).get(Person.REGISTER_OPTIONS),
                        LIMIT),
                fromOne("requesting the session", (web, i) -> web.get("/auth/session"), OPTIONS),
                fromOne(
                        "reporting",
                        (web, i) ->
                                web.post("/auth/passkey/report", "{\"ceremony\":\"login\",\"outcome\":\"dismissed\"}"),
                        REQUESTS),
                fromOne("trying tokens", (web, i) -> web.bearer("guess " + i).get("/auth/session"), LIMIT),
                fromOne(
                        "trying sessions",
                        (web, i) -> web.with("Cookie", "porchlight=" + i).get("/auth/session"),
                        LIMIT),
                fromOne("signing up", (web, i) -> web.post("/auth/signup", "{\"userId\":\"user " + i + "\"}"), LIMIT),
                fromOne(
                        "guessing the admin token",
                        (web, i) -> web.bearer("guess " + i).get("/admin/request"),
                        LIMIT),
                fromOne(
                        "operating with the right token",
                        (web, i) -> web.bearer(Service.ADMIN_TOKEN).get("/admin/request"),
                        REQUESTS),
                fromOne(
                        "using a method that a route does not have",
                        (web, i) -> web.delete(Person.LOGIN_OPTIONS),
                        FLOOD),
                fromOne("beginning sign-ins of applications", (web, i) -> web.get("/oauth2/authorize"), OPTIONS),
                fromOne("guessing codes", (web, i) -> guess(web, i), LIMIT),
                new Flood(
                        "beginning sign-ins of applications while there are none",
                        alone,
                        (web, i) -> web.get(i % 2 == 0 ? "/oauth2/authorize" : "/oauth2/logout"),
                        FLOOD),
                fromOne(
                        "asking whether a page may send requests of a client",
                        (web, i) -> web.with("Origin", "https://spa.example")
                                .send("OPTIONS", "/oauth2/token", BodyPublishers.noBody()),
                        OPTIONS),
                fromOne(
                        "pushing requests of a public client",
                        (web, i) -> spa.post(web, "/oauth2/par", spa.request()),
                        OPTIONS),
                fromOne(
                        "revoking invented tokens of a public client",
                        (web, i) -> spa.post(web, "/oauth2/revoke", Map.of("token", "guess " + i)),
                        OPTIONS),
                fromOne("reading public documents", (web, i) -> web.get("/.well-known/jwks.json"), FLOOD),
                fromOne("probing health", (web, i) -> web.get("/health/live"), FLOOD));
    }

    static Stream<Flood> manyAddresses() {
        return Stream.of(
                forwarded("from many addresses", i -> "198.51.100." + i, FLOOD),
                forwarded("one address that prepends other addresses", i -> "1.1.1." + i + ", 203.0.113.9", OPTIONS),
                forwarded("one address with a chain of claims", i -> "9.9.9.9, 8.8." + i + ".8, 203.0.113.10", OPTIONS),
                forwarded("one address in two spellings", i -> (i % 2 == 0 ? "" : "::ffff:") + "203.0.113.11", OPTIONS),
                forwarded("one IPv6 /64, another host each time", i -> "2001:db8:1:1::" + hex(i), OPTIONS),
                forwarded("one IPv6 /64 in its long spelling", i -> "2001:0DB8:0001:0002:0:0:0:" + hex(i), OPTIONS),
                forwarded("many IPv6 /64", i -> "2001:db8:2:" + hex(i) + "::1", FLOOD),
                forwarded("invalid addresses, which count as the proxy's", i -> "invalid " + i, OPTIONS),
                new Flood(
                        "one user's options, from many addresses",
                        behindAProxy,
                        (web, i) -> options(web.with("X-Forwarded-For", "198.51.101." + i), "ada"),
                        FLOOD),
                new Flood(
                        "one user's logins, from many addresses",
                        behindAProxy,
                        (web, i) -> web.with("X-Forwarded-For", "198.51.102." + i)
                                .post(Person.LOGIN_FINISH + Web.user("ada"), "{}"),
                        FLOOD));
    }

    /** Without trusted proxies and with a used budget, no header gets another budget. */
    static Stream<Flood> spoofed() {
        exhaust(alone.web());
        return Stream.of(
                        "X-Forwarded-For",
                        "Forwarded",
                        "X-Real-IP",
                        "X-Client-IP",
                        "True-Client-IP",
                        "CF-Connecting-IP",
                        "X-Original-Forwarded-For",
                        "X-Cluster-Client-IP")
                .map(header -> new Flood(
                        "an address without a budget that claims others with " + header,
                        alone,
                        (web, i) -> options(
                                web.with(header, (header.equals("Forwarded") ? "for=" : "") + "198.51.100." + i)),
                        0));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"oneAddress", "manyAddresses", "spoofed"})
    void T43_the_served_share_of_a_flood_matches_the_budget(Flood flood) {
        List<Integer> statuses = IntStream.range(0, FLOOD)
                .mapToObj(i -> flood.request().apply(flood.at().web(), i).status())
                .toList();

        assertThat(statuses).filteredOn(status -> status != 429).hasSize(flood.served());
        assertThat(statuses).allMatch(status -> status < 500);
    }

    @Test
    void T43_a_rate_limited_address_gets_retry_after() {
        Web web = fromNewAddress();
        exhaust(web);

        TestResponse refused = web.post("/auth/signup", "{\"userId\":\"ada\"}");

        refused.expectProblem(429, "rate_limited");
        assertThat(refused.header("Retry-After")).isEqualTo("8"); // a whole ceremony refills in 7.5 s
        assertThat(refused.json().string("error")).isEqualTo("Too many requests. Try again in 8 seconds.");
        assertThat(options(web).header("Retry-After")).isEqualTo("2"); // a quarter in 1.875 s
    }

    @Test
    void operators_and_users_at_one_address_have_separate_budgets() {
        Web users = fromNewAddress();
        exhaust(users);
        options(users).expectProblem(429, "rate_limited");
        users.bearer(Service.ADMIN_TOKEN).get("/console/api/ceremonies").expect(200);

        Web guesser = fromNewAddress();
        for (int i = 0; i <= LIMIT; i++) {
            guesser.bearer("a guess at the token").get("/admin/request");
        }
        guesser.bearer(Service.ADMIN_TOKEN).get("/admin/request").expectProblem(429, "rate_limited");
        options(guesser).expect(200);
    }

    /** A page of any site can send them in a loop, with the browser of each visitor. */
    @Test
    void requests_that_other_sites_can_send_do_not_limit_sign_ins_at_the_address() {
        Web web = fromNewAddress();
        for (int i = 0; i <= OPTIONS; i++) {
            web.with("Sec-Fetch-Site", "cross-site").get("/oauth2/authorize");
        }
        web.get("/oauth2/authorize").expectProblem(429, "rate_limited");
        web.get("/oauth2/logout").expectProblem(429, "rate_limited");
        guess(web, 0).expectProblem(429, "rate_limited");

        new Person(web, "http://localhost", "a visitor", SoftAuthenticator.syncedPasskeys())
                .enroll()
                .login()
                .expect(200);
    }

    @Test
    void an_attacker_at_one_address_does_not_lock_the_owner_out() {
        Person owner = owner("an attacked user");
        Web attacker = fromNewAddress();
        for (int i = 0; i < FLOOD; i++) {
            options(attacker, owner.userId());
            attacker.post(Person.LOGIN_FINISH + Web.user(owner.userId()), "{}");
        }

        owner.login().expect(200);
    }

    @Test
    void requests_from_many_addresses_never_limit_the_named_user() {
        Person owner = owner("a user attacked from many addresses");
        String underWay = owner.assertion();
        for (int i = 0; i < 5 * FLOOD; i++) {
            Web attacker = fromNewAddress();
            options(attacker, owner.userId()).expect(200);
            attacker.post(Person.LOGIN_FINISH + Web.user(owner.userId()), "{}").expect(401);
        }

        owner.finishLogin(underWay).expect(200);
        owner.login().expect(200);
        options(fromNewAddress(), owner.userId()).expect(200);
    }

    @Test
    void a_signed_in_user_is_served_while_failed_logins_at_the_same_address_are_limited() {
        Web address = fromNewAddress();
        Person user =
                new Person(address, "http://localhost", "a colleague", SoftAuthenticator.syncedPasskeys()).enroll();
        Web bySession = user.bySession();
        Web byToken = user.byToken();
        for (int i = 0; i < FLOOD; i++) {
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
        Web address = fromNewAddress();
        Person one = new Person(address, "http://localhost", "one of two", SoftAuthenticator.syncedPasskeys()).enroll();
        Person other = new Person(address, "http://localhost", "the other of two", SoftAuthenticator.syncedPasskeys())
                .enroll();
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
        fromNewAddress().bearer(token).get("/auth/session").expect(200);
        options(address).expect(200);
    }

    @Test
    void a_refresh_of_a_public_client_counts_for_the_user_and_is_refused_before_the_token_is_used() {
        Web address = fromNewAddress();
        Person user = new Person(address, "http://localhost", "a user of a page", SoftAuthenticator.syncedPasskeys());
        user.enroll();
        Map<String, String> redeem = OpenIdClient.redeeming(spa.code(user.bySession()));
        TestResponse response = spa.post(address, "/oauth2/token", redeem).expect(200);
        String token = "";
        for (int i = 0; i <= REQUESTS && response.status() == 200; i++) {
            token = response.json().string("refresh_token");
            response =
                    spa.post(address, "/oauth2/token", Map.of("grant_type", "refresh_token", "refresh_token", token));
        }

        response.expectProblem(429, "rate_limited");
        behindAProxy.clock().advance(Duration.ofMinutes(1));
        spa.post(address, "/oauth2/token", Map.of("grant_type", "refresh_token", "refresh_token", token))
                .expect(200);
    }

    @Test
    void proofs_are_not_stored_for_ended_sign_ins_nor_beyond_the_limit_of_the_user() throws Exception {
        Web address = fromNewAddress();
        Person user = new Person(address, "http://localhost", "a prover", SoftAuthenticator.syncedPasskeys()).enroll();
        Web session = user.bySession();
        ECKey key = new ECKeyGenerator(Curve.P_256).generate();
        JsonObject tokens = spa.post(
                        address.with("DPoP", proof(key, "POST", "/oauth2/token", null)),
                        "/oauth2/token",
                        OpenIdClient.redeeming(spa.code(session)))
                .expect(200)
                .json();
        String access = tokens.string("access_token");
        Map<String, String> refresh =
                Map.of("grant_type", "refresh_token", "refresh_token", tokens.string("refresh_token"));
        for (int i = 0; i < REQUESTS; i++) {
            session.get("/auth/session");
        }
        int before = behindAProxy.rows("porchlight_openid_used").size();

        address.with("Authorization", "DPoP " + access)
                .with("DPoP", proof(key, "GET", "/oauth2/userinfo", access))
                .get("/oauth2/userinfo")
                .expectProblem(429, "rate_limited");
        behindAProxy.clock().advance(Duration.ofSeconds(10));
        session.post("/auth/logout").expect(204);
        spa.post(address.with("DPoP", proof(key, "POST", "/oauth2/token", null)), "/oauth2/token", refresh)
                .expect(400);

        assertThat(behindAProxy.rows("porchlight_openid_used")).hasSize(before);
    }

    @Test
    void signing_out_keeps_the_cookie_when_it_is_refused() {
        Web address = fromNewAddress();
        Web user = new Person(address, "http://localhost", "a busy reader", SoftAuthenticator.syncedPasskeys())
                .enroll()
                .bySession();
        for (int i = 0; i < REQUESTS; i++) {
            user.get("/auth/session").expect(200);
        }

        TestResponse refused = user.post("/auth/logout");

        refused.expectProblem(429, "rate_limited");
        assertThat(refused.header("Set-Cookie")).isNull();
    }

    @Test
    void a_successful_ceremony_costs_one_and_a_failed_one_a_quarter_more() {
        Web address = fromNewAddress();
        Person user = new Person(address, "http://localhost", "a frequent user", SoftAuthenticator.syncedPasskeys());
        user.enroll(); // a sign-up and a registration
        for (int i = 2; i < LIMIT; i++) {
            user.login().expect(200);
        }
        options(address).expectProblem(429, "rate_limited");

        behindAProxy.clock().advance(Duration.ofMinutes(1));
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

    private static Service limited(String... more) {
        String[] variables = {"RATE_LIMIT_PER_MINUTE", Integer.toString(LIMIT)};
        return Service.on(
                TestDatabase.SQLITE,
                Stream.of(variables, more).flatMap(Stream::of).toArray(String[]::new));
    }

    /** A client with a unique address. */
    private static Web fromNewAddress() {
        return behindAProxy.web().with("X-Forwarded-For", freshAddress());
    }

    private static String freshAddress() {
        int number = ADDRESSES.incrementAndGet();
        return "192.0." + (10 + number / 250) + "." + number % 250;
    }

    private static Person owner(String userId) {
        return new Person(fromNewAddress(), "http://localhost", userId, SoftAuthenticator.syncedPasskeys()).enroll();
    }

    private static Flood fromOne(String doing, BiFunction<Web, Integer, TestResponse> request, int served) {
        String address = freshAddress();
        return new Flood(
                "one address, " + doing,
                behindAProxy,
                (web, i) -> request.apply(web.with("X-Forwarded-For", address), i),
                served);
    }

    private static Flood forwarded(String of, IntFunction<String> header, int served) {
        return new Flood(of, behindAProxy, (web, i) -> options(web.with("X-Forwarded-For", header.apply(i))), served);
    }

    private static String hex(int number) {
        return Integer.toHexString(number);
    }

    private static TestResponse signUp(Service service) {
        return service.web().post("/auth/signup", "{\"userId\":\"ada\"}");
    }

    private static TestResponse options(Web web) {
        return web.get(Person.LOGIN_OPTIONS);
    }

    private static TestResponse options(Web web, String userId) {
        return web.get(Person.LOGIN_OPTIONS + Web.user(userId));
    }

    /** Presents an invented code of a public client. */
    private static TestResponse guess(Web web, int i) {
        return spa.post(web, "/oauth2/token", Map.of("grant_type", "authorization_code", "code", "guess " + i));
    }

    private static void exhaust(Web web) {
        for (int i = 0; i <= OPTIONS; i++) {
            options(web);
        }
    }
}
