// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.redis.RedisServer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How many of 48 requests are served where an address may make eight a minute: who asks, from where, and what he
 * claims. How much is worked on at once, whoever asks, is {@code CrowdedTest}'s.
 */
class RateLimitMatrixTest {
    private static final int FLOOD = 48;
    private static final int LIMIT = 8;
    private static final AtomicInteger ADDRESSES = new AtomicInteger();

    /** Behind a proxy that it trusts, as whom the tests come from anywhere. */
    private static Service behindAProxy;
    /** One that trusts nobody, whose budget for this machine is spent. */
    private static Service alone;

    /** A flood and how much of it is served. */
    private record Flood(String of, Service at, BiFunction<Web, Integer, Reply> request, int served) {
        @Override
        public String toString() {
            return of + ": " + served + " of " + FLOOD;
        }
    }

    @BeforeAll
    static void start() {
        behindAProxy = limited("TRUSTED_PROXIES", "127.0.0.0/8");
        alone = limited();
    }

    @AfterAll
    static void stop() {
        alone.close();
        behindAProxy.close();
    }

    static Stream<Flood> oneAddress() {
        return Stream.of(
                fromOne("asking for options", (web, i) -> options(web), LIMIT),
                fromOne(
                        "as another browser each time",
                        (web, i) -> options(web.with("User-Agent", "browser " + i)),
                        LIMIT),
                fromOne("asking for another user each time", (web, i) -> options(web, "user " + i), LIMIT),
                fromOne("finishing logins", (web, i) -> web.post(Person.LOGIN_FINISH, "{}"), LIMIT),
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
                fromOne("reading what is public", (web, i) -> web.get("/.well-known/jwks.json"), FLOOD),
                fromOne("probing health", (web, i) -> web.get("/health/live"), FLOOD));
    }

    static Stream<Flood> manyAddresses() {
        return Stream.of(
                forwarded("as many addresses", i -> "198.51.100." + i, FLOOD),
                forwarded("one address that claims others left of itself", i -> "1.1.1." + i + ", 203.0.113.9", LIMIT),
                forwarded("one address with a chain of claims", i -> "9.9.9.9, 8.8." + i + ".8, 203.0.113.10", LIMIT),
                forwarded("one address in two spellings", i -> (i % 2 == 0 ? "" : "::ffff:") + "203.0.113.11", LIMIT),
                forwarded("one IPv6 /64, another host each time", i -> "2001:db8:1:1::" + hex(i), LIMIT),
                forwarded("the same in its long spelling", i -> "2001:0DB8:0001:0002:0:0:0:" + hex(i), LIMIT),
                forwarded("as many IPv6 /64", i -> "2001:db8:2:" + hex(i) + "::1", FLOOD),
                forwarded("what is no address, which is the proxy's own then", i -> "somebody " + i, LIMIT),
                new Flood(
                        "one user's options, from as many addresses",
                        behindAProxy,
                        (web, i) -> options(web.with("X-Forwarded-For", "198.51.101." + i), "ada"),
                        5 * LIMIT),
                new Flood(
                        "one user's logins, from as many addresses",
                        behindAProxy,
                        (web, i) -> web.with("X-Forwarded-For", "198.51.102." + i)
                                .post(Person.LOGIN_FINISH + Web.user("ada"), "{}"),
                        FLOOD));
    }

    /** Nobody is trusted, and the address has spent its budget: no header brings another. */
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
                        "an address without a budget that claims others by " + header,
                        alone,
                        (web, i) -> options(
                                web.with(header, (header.equals("Forwarded") ? "for=" : "") + "198.51.100." + i)),
                        0));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"oneAddress", "manyAddresses", "spoofed"})
    void P43_of_a_flood_so_much_is_served(Flood flood) {
        List<Integer> statuses = IntStream.range(0, FLOOD)
                .mapToObj(i -> flood.request().apply(flood.at().web(), i).status())
                .toList();

        assertThat(statuses).filteredOn(status -> status != 429).hasSize(flood.served());
        assertThat(statuses).allMatch(status -> status < 500);
    }

    @Test
    void P43_an_address_that_asks_too_often_is_told_when_to_come_back() {
        Web web = fromSomewhere();
        exhaust(web);

        Reply refused = web.post("/auth/signup", "{\"userId\":\"ada\"}");

        refused.expectProblem(429, "rate_limited");
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 71);
    }

    @Test
    void operators_are_served_while_users_at_the_same_address_are_not_and_the_other_way_round() {
        Web users = fromSomewhere();
        exhaust(users);
        options(users).expectProblem(429, "rate_limited");
        users.bearer(Service.ADMIN_TOKEN).get("/console/api/ceremonies").expect(200);

        Web guesser = fromSomewhere();
        for (int i = 0; i <= LIMIT; i++) {
            guesser.bearer("a guess at the token").get("/admin/request");
        }
        guesser.bearer(Service.ADMIN_TOKEN).get("/admin/request").expectProblem(429, "rate_limited");
        options(guesser).expect(200);
    }

    @Test
    void an_attacker_at_one_address_does_not_lock_the_owner_out() {
        Person owner = owner("somebody who is attacked");
        Web attacker = fromSomewhere();
        for (int i = 0; i < FLOOD; i++) {
            options(attacker, owner.userId());
            attacker.post(Person.LOGIN_FINISH + Web.user(owner.userId()), "{}");
        }

        owner.login().expect(200);
    }

    @Test
    void attackers_at_many_addresses_lock_out_neither_a_login_under_way_nor_one_without_a_name() {
        Person owner = owner("somebody who is attacked by many");
        String underWay = owner.assertion();
        for (int i = 0; i < FLOOD; i++) {
            Web attacker = fromSomewhere();
            options(attacker, owner.userId());
            attacker.post(Person.LOGIN_FINISH + Web.user(owner.userId()), "{}");
        }
        Web web = fromSomewhere();
        options(web, owner.userId()).expectProblem(429, "rate_limited");

        owner.finishLogin(underWay).expect(200);
        String nameless = options(web).expect(200).body();
        Reply login =
                web.post(Person.LOGIN_FINISH, owner.browser().get(nameless)).expect(200);
        assertThat(web.bearer(login.json().string("token"))
                        .get("/auth/session")
                        .json()
                        .string("userId"))
                .isEqualTo(owner.userId());
    }

    /** Two instances with a store in common: what is let through altogether is the budget of one, to five in a hundred. */
    @Test
    void S6_an_address_has_one_budget_at_two_instances() throws Exception {
        int budget = 40;
        String[] variables = {"REDIS_URL", "", "RATE_LIMIT_PER_MINUTE", Integer.toString(budget)};
        try (RedisServer redis = TestRedis.start()) {
            variables[1] = redis.url();
            String database = TestDatabase.SQLITE.freshUrl();
            try (Service one = Service.at(database, variables);
                    Service other = Service.at(database, variables)) {
                long served = IntStream.range(0, 2 * budget)
                        .mapToObj(i -> options((i % 2 == 0 ? one : other).web()))
                        .filter(reply -> reply.status() == 200)
                        .count();

                assertThat(served).isBetween(budget * 95L / 100, budget * 105L / 100);
                options(one.web()).expectProblem(429, "rate_limited");
                options(other.web()).expectProblem(429, "rate_limited");
            }
        }
    }

    private static Service limited(String... more) {
        String[] variables = {"RATE_LIMIT_PER_MINUTE", Integer.toString(LIMIT)};
        return Service.on(
                TestDatabase.SQLITE,
                Stream.of(variables, more).flatMap(Stream::of).toArray(String[]::new));
    }

    /** A client at an address that no other has. */
    private static Web fromSomewhere() {
        int number = ADDRESSES.incrementAndGet();
        return behindAProxy.web().with("X-Forwarded-For", "192.0." + (10 + number / 250) + "." + number % 250);
    }

    private static Person owner(String userId) {
        return new Person(fromSomewhere(), "http://localhost", userId, SoftAuthenticator.syncedPasskeys()).enrol();
    }

    private static Flood fromOne(String doing, BiFunction<Web, Integer, Reply> request, int served) {
        String address = "203.0.114." + ADDRESSES.incrementAndGet();
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

    private static Reply options(Web web) {
        return web.get(Person.LOGIN_OPTIONS);
    }

    private static Reply options(Web web, String userId) {
        return web.get(Person.LOGIN_OPTIONS + Web.user(userId));
    }

    private static void exhaust(Web web) {
        for (int i = 0; i <= LIMIT; i++) {
            options(web);
        }
    }
}
