// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.redis.RedisServer;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Redis killed, hung, emptied and full: sign-ins are refused, tokens stay valid, limits hold, and the service recovers by itself. */
@Tag("slow")
class RedisGoneTest {
    private static final int LIMIT = 60;

    private RedisServer redis;
    private Service service;
    private Person person;
    private TestResponse login;

    @BeforeEach
    void start() {
        redis = TestRedis.start();
        service = Service.on(
                TestDatabase.SQLITE, "REDIS_URL", redis.url(), "RATE_LIMIT_PER_MINUTE", Integer.toString(LIMIT));
        person = service.newUser().enroll();
        login = person.login().expect(200);
    }

    @AfterEach
    void stop() throws IOException {
        if (service != null) {
            service.close();
            redis.close();
        }
    }

    @Test
    void a_killed_redis_stops_only_sign_ins_until_it_is_back() throws IOException {
        String assertion = person.assertion();
        redis.kill();

        assertDegraded(assertion);

        redis.restart();
        assertHealed();
        bySession().get("/auth/session").expectProblem(401, "unauthenticated");
    }

    @Test
    void a_hung_redis_causes_only_bounded_waits() throws IOException {
        String assertion = person.assertion();
        redis.pause();

        assertDegraded(assertion);

        redis.resume();
        assertHealed();
        bySession().get("/auth/session").expect(200);
    }

    @Test
    void a_hung_redis_does_not_stop_a_removal_and_a_retry_ends_the_sessions() throws IOException {
        Person staying = service.person(person.userId(), SoftAuthenticator.securityKey());
        String invitation = service.admin()
                .post(
                        "/admin/enrollments",
                        new JsonObject().put("userId", person.userId()).toString())
                .expect(201)
                .json()
                .string("token");
        staying.register(invitation).expect(201);
        Web owner = staying.byToken();
        String removed = Person.CREDENTIALS + "/" + person.credentialId();
        redis.pause();
        await().untilAsserted(() -> assertThat(gauge()).isOne()); // the first caller waits for it

        owner.delete(removed).expect(200);

        byToken().get("/auth/session").expectProblem(401, "unauthenticated");
        redis.resume();
        await().untilAsserted(() -> assertThat(gauge()).isZero());
        bySession().get("/auth/session").expectProblem(401, "unauthenticated");
        assertThat(owner.get("/auth/sessions").json().objects("sessions")).hasSize(4);
        owner.delete(removed).expectProblem(404, "not_found");
        assertThat(owner.get("/auth/sessions").json().objects("sessions")).hasSize(2);
    }

    @Test
    void a_hung_redis_does_not_stop_signing_out_everywhere_or_revive_sessions() throws IOException {
        redis.pause();
        await().untilAsserted(() -> assertThat(gauge()).isOne());

        byToken().post("/auth/logout?everywhere=true").expect(204);

        byToken().get("/auth/session").expectProblem(401, "unauthenticated");
        redis.resume();
        await().untilAsserted(() -> assertThat(gauge()).isZero());
        bySession().get("/auth/session").expectProblem(401, "unauthenticated");
    }

    @Test
    void a_full_redis_is_degraded() throws IOException {
        String assertion = person.assertion();
        redis.command("CONFIG", "SET", "maxmemory", "1");
        await().untilAsserted(() -> assertThat(gauge()).isOne());

        assertDegraded(assertion);

        redis.command("CONFIG", "SET", "maxmemory", "0");
        assertHealed();
    }

    @Test
    void an_emptied_redis_ends_sessions_and_users_sign_in_again() throws IOException {
        String assertion = person.assertion();
        redis.flush();

        person.finishLogin(assertion).expect(200); // a challenge is not stored before it is used
        bySession().get("/auth/session").expectProblem(401, "unauthenticated");
        byToken().get("/auth/session").expect(200);
        person.login().expect(200);
        assertThat(gauge()).isZero();
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
        assertThat(gauge()).isOne();
        assertThat(service.logs().lines().filter(line -> line.contains("each instance counts rate limits separately")))
                .hasSize(1);
    }

    private void assertDegraded(String assertion) {
        List<Supplier<TestResponse>> refused =
                List.of(() -> person.finishLogin(assertion), () -> bySession().get("/auth/session"));
        for (Supplier<TestResponse> request : refused) {
            long start = System.nanoTime();
            TestResponse response = request.get().expectProblem(503, "storage_unavailable");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("1.5 seconds, plus the delay of a busy machine")
                    .isLessThan(Duration.ofSeconds(5));
            assertThat(response.header("Retry-After")).isEqualTo("1");
            assertThat(response.body()).doesNotContainIgnoringCase("redis").doesNotContainIgnoringCase("jedis");
        }
        service.web().get(Person.LOGIN_OPTIONS).expect(200); // writes nothing
        service.web().post("/auth/signup", "{\"userId\":\"ada\"}").expect(201); // does not use Redis
        byToken().get("/auth/session").expect(200);
        byToken().get(Person.CREDENTIALS).expect(200);
        assertThat(gauge()).isOne();
        await().untilAsserted(() -> service.web().get("/health/ready").expect(503));
        service.web().get("/health/live").expect(200);
        assertThat(service.logs().lines().filter(line -> line.contains("Redis is unavailable: sign-in fails")))
                .hasSize(1);
    }

    private void assertHealed() {
        await().untilAsserted(() -> assertThat(gauge()).isZero());
        person.login().expect(200);
        await().untilAsserted(() -> service.web().get("/health/ready").expect(200));
        assertThat(service.logs()).contains("Redis is available again");
    }

    private Web byToken() {
        return service.web().bearer(login.json().string("token"));
    }

    private Web bySession() {
        return service.web().with("Cookie", Person.cookie(login));
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
