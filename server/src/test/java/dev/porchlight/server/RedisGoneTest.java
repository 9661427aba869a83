// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.server.RedisServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Redis killed, hung, full and emptied: sign-ins, sessions and OpenID Connect continue, limits hold per instance, and the
 * service uses Redis again by itself.
 */
@Tag("slow")
class RedisGoneTest {
    private static final int LIMIT = 120;
    private static final String DOWN = "\"health check redis is down\"";
    private static final String UP = "\"health check redis is up again\"";

    private RedisServer redis;
    private Service service;
    private Person person;
    private TestResponse login;
    private OpenIdClient client;
    private String assertion;
    private String code;
    private String refreshToken;

    @BeforeEach
    void start() {
        redis = TestRedis.start();
        service = start(redis);
        person = service.newUser().enroll();
        login = person.login().expect(200);
        client = OpenIdClient.register(service.admin(), "");
        refreshToken =
                client.redeem(client.code(bySession())).expect(200).json().string("refresh_token");
        code = client.code(bySession());
        assertion = person.assertion();
    }

    private static Service start(RedisServer redis) {
        return Service.on(
                TestDatabase.SQLITE, "REDIS_URL", redis.url(), "RATE_LIMIT_PER_MINUTE", Integer.toString(LIMIT));
    }

    @AfterEach
    void stop() throws IOException {
        if (service != null) {
            service.close();
            redis.close();
        }
    }

    @Test
    void the_service_continues_without_a_killed_redis() throws IOException {
        redis.kill();

        assertContinues();
        assertDegraded();

        redis.restart();
        assertHealed();
    }

    @Test
    void the_service_continues_without_a_hung_redis() throws IOException {
        redis.pause();

        assertContinues();
        assertDegraded();

        redis.resume();
        assertHealed();
    }

    @Test
    void the_service_continues_without_a_full_redis() throws IOException {
        redis.command("CONFIG", "SET", "maxmemory", "1");

        assertContinues();
        assertDegraded();

        redis.command("CONFIG", "SET", "maxmemory", "0");
        assertHealed();
    }

    @Test
    void an_emptied_redis_changes_only_rate_limits() throws IOException {
        redis.flush();

        assertContinues();
        assertThat(gauge()).isZero();
        assertThat(ready()).doesNotContain("degraded");
    }

    @Test
    void a_service_starts_without_redis() throws IOException {
        redis.kill();

        try (Service late = start(redis)) {
            late.newUser().enroll().login().expect(200);
            assertThat(late.web().get("/health/ready").expect(200).body()).contains("\"degraded\":true");
        }
    }

    @Test
    void rate_limits_hold_while_redis_is_gone() throws IOException {
        redis.kill();

        long served = 0;
        for (int i = 0; i < 2 * LIMIT; i++) {
            served += service.web().post(Person.LOGIN_FINISH, "{}").status() == 429 ? 0 : 1;
        }

        assertThat(served).isLessThanOrEqualTo(LIMIT);
        service.web().get(Person.LOGIN_OPTIONS).expectProblem(429, "rate_limited");
        assertDegraded();
    }

    /** What began before continues: a login, a session, a token, a code and a refresh token, each at most once. */
    private void assertContinues() {
        person.finishLogin(assertion).expect(200);
        person.finishLogin(assertion).expect(401);
        bySession().get("/auth/session").expect(200);
        service.web().bearer(login.json().string("token")).get("/auth/session").expect(200);
        client.redeem(code).expect(200);
        client.redeem(code).expect(400);
        TestResponse refreshed = client.refresh(refreshToken).expect(200);
        client.userinfo(refreshed.json().string("access_token")).expect(200);
        client.redeem(client.code(person.bySession())).expect(200);
        service.newUser().enroll().login().expect(200);
        bySession().post("/auth/logout").expect(204);
        bySession().get("/auth/session").expectProblem(401, "unauthenticated");
    }

    private void assertDegraded() {
        await().untilAsserted(() -> assertThat(ready())
                .startsWith("{\"status\":\"ok\",\"degraded\":true,")
                .contains("\"redis\":{\"status\":\"down\"", "each instance counts its own rate limits"));
        service.web().get("/health/live").expect(200);
        assertThat(gauge()).isOne();
        assertThat(logged(DOWN)).isOne();
        assertThat(logged(UP)).isZero();
    }

    private void assertHealed() {
        await().untilAsserted(() -> assertThat(gauge()).isZero());
        await().untilAsserted(() -> assertThat(ready()).doesNotContain("degraded"));
        person.login().expect(200);
        assertThat(logged(DOWN)).isOne();
        assertThat(logged(UP)).isOne();
    }

    private String ready() {
        return service.web().get("/health/ready").expect(200).body();
    }

    private long logged(String message) {
        return service.logs().lines().filter(line -> line.contains(message)).count();
    }

    private Web bySession() {
        return service.web().cookie(Person.cookie(login));
    }

    private int gauge() {
        String line = service.metrics()
                .lines()
                .filter(it -> it.startsWith("storage_degraded{store=\"redis\"}"))
                .findFirst()
                .orElseThrow();
        return (int) Double.parseDouble(line.substring(line.indexOf(' ') + 1));
    }
}
