// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static dev.porchlight.server.LimitedService.LIMIT;
import static dev.porchlight.server.LimitedService.OPTIONS;
import static dev.porchlight.server.LimitedService.REQUESTS;
import static dev.porchlight.server.LimitedService.exhaust;
import static dev.porchlight.server.LimitedService.options;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.util.List;
import java.util.Map;
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

    private static LimitedService behindAProxy;
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
        behindAProxy = LimitedService.behindAProxy();
        alone = LimitedService.start();
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
                fromOne(
                        "guessing recovery codes",
                        (web, i) -> web.post("/auth/recovery", "{\"userId\":\"ada\",\"code\":\"" + i + "\"}"),
                        LIMIT),
                fromOne("signing up", (web, i) -> web.post("/auth/signup", "{\"userId\":\"user " + i + "\"}"), LIMIT),
                fromOne(
                        "guessing the admin token",
                        (web, i) -> web.bearer("guess " + i).get("/admin/request"),
                        LIMIT),
                fromOne(
                        "operating with the right token",
                        (web, i) -> web.bearer(Service.ADMIN_TOKEN).get("/admin/request"),
                        FLOOD),
                fromOne(
                        "using a method that a route does not have",
                        (web, i) -> web.delete(Person.LOGIN_OPTIONS),
                        FLOOD),
                fromOne("beginning sign-ins of applications", (web, i) -> web.get("/oauth2/authorize"), OPTIONS),
                fromOne("guessing codes", (web, i) -> behindAProxy.guess(web, i), LIMIT),
                new Flood(
                        "beginning sign-ins of applications while there are none",
                        alone,
                        (web, i) -> web.get(i % 2 == 0 ? "/oauth2/authorize" : "/oauth2/logout"),
                        FLOOD),
                fromOne(
                        "asking whether a page may send requests of a client",
                        (web, i) -> web.with("Origin", "https://spa.example").send("OPTIONS", "/oauth2/token", null),
                        OPTIONS),
                fromOne(
                        "pushing requests of a public client",
                        (web, i) -> spa().post(web, "/oauth2/par", spa().request()),
                        OPTIONS),
                fromOne(
                        "revoking invented tokens of a public client",
                        (web, i) -> spa().post(web, "/oauth2/revoke", Map.of("token", "guess " + i)),
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
                        behindAProxy.service(),
                        (web, i) -> options(web.with("X-Forwarded-For", "198.51.101." + i), "ada"),
                        FLOOD),
                new Flood(
                        "one user's logins, from many addresses",
                        behindAProxy.service(),
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
        Web web = behindAProxy.fromNewAddress();
        exhaust(web);

        TestResponse refused = web.post("/auth/signup", "{\"userId\":\"ada\"}");

        refused.expectProblem(429, "rate_limited");
        assertThat(refused.header("Retry-After")).isEqualTo("8"); // a whole ceremony refills in 7.5 s
        assertThat(refused.json().string("error")).isEqualTo("Too many requests. Try again in 8 seconds.");
        assertThat(options(web).header("Retry-After")).isEqualTo("2"); // a quarter in 1.875 s
    }

    private static Flood fromOne(String doing, BiFunction<Web, Integer, TestResponse> request, int served) {
        String address = LimitedService.newAddress();
        return new Flood(
                "one address, " + doing,
                behindAProxy.service(),
                (web, i) -> request.apply(web.with("X-Forwarded-For", address), i),
                served);
    }

    private static Flood forwarded(String of, IntFunction<String> header, int served) {
        return new Flood(
                of, behindAProxy.service(), (web, i) -> options(web.with("X-Forwarded-For", header.apply(i))), served);
    }

    private static String hex(int number) {
        return Integer.toHexString(number);
    }

    private static OpenIdClient spa() {
        return behindAProxy.spa();
    }
}
