// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How often one address, and anybody in one user's name, may ask. */
class RateLimitTest {
    private static final int FLOOD = 200;

    @Test
    void P43_an_address_that_asks_too_often_is_told_when_to_come_back() {
        try (Service service = Service.on(TestDatabase.SQLITE, "RATE_LIMIT_PER_MINUTE", "20")) {
            long served = served(i -> service.web().get(Person.LOGIN_OPTIONS));

            assertThat(served).isEqualTo(20);
            Reply refused = service.web().post("/auth/signup", "{\"userId\":\"ada\"}");
            refused.expectProblem(429, "rate_limited");
            assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 71);
            service.web().get("/health/live").expect(200);
            service.web().get("/.well-known/jwks.json").expect(200);
        }
    }

    @Test
    void operators_are_served_while_users_at_the_same_address_are_not_and_the_other_way_round() {
        try (Service service = Service.on(TestDatabase.SQLITE, "RATE_LIMIT_PER_MINUTE", "20")) {
            served(i -> service.web().get(Person.LOGIN_OPTIONS));
            service.web().get(Person.LOGIN_OPTIONS).expectProblem(429, "rate_limited");

            assertThat(served(i -> service.admin().get("/console/api/ceremonies")))
                    .isEqualTo(20);
            service.admin().get("/admin/request").expectProblem(429, "rate_limited");
        }
        try (Service service = Service.on(TestDatabase.SQLITE, "RATE_LIMIT_PER_MINUTE", "20")) {
            served(i -> service.web().bearer("a guess at the token").get("/admin/request"));
            service.admin().get("/admin/request").expectProblem(429, "rate_limited");

            service.web().get(Person.LOGIN_OPTIONS).expect(200);
        }
    }

    @Test
    void a_header_that_anybody_can_send_does_not_help() {
        try (Service service = Service.on(TestDatabase.SQLITE, "RATE_LIMIT_PER_MINUTE", "20")) {
            assertThat(served(i -> service.web()
                            .with("X-Forwarded-For", "198.51.100." + i)
                            .get(Person.LOGIN_OPTIONS)))
                    .isLessThan(FLOOD);
        }
    }

    @Test
    void behind_a_trusted_proxy_every_client_has_a_budget_of_its_own() {
        try (Service service =
                Service.on(TestDatabase.SQLITE, "RATE_LIMIT_PER_MINUTE", "20", "TRUSTED_PROXIES", "127.0.0.0/8")) {
            assertThat(served(i -> service.web()
                            .with("X-Forwarded-For", "198.51.100." + i)
                            .get(Person.LOGIN_OPTIONS)))
                    .isEqualTo(FLOOD);
            assertThat(served(i -> service.web()
                            .with("X-Forwarded-For", "1.1.1." + i + ", 203.0.113.9")
                            .get(Person.LOGIN_OPTIONS)))
                    .as("what a client claims left of its own address is not believed")
                    .isLessThan(FLOOD);
        }
    }

    @Test
    void one_users_name_is_limited_from_wherever_it_is_asked_for() {
        try (Service service =
                Service.on(TestDatabase.SQLITE, "RATE_LIMIT_PER_MINUTE", "20", "TRUSTED_PROXIES", "127.0.0.0/8")) {
            assertThat(served(i -> service.web()
                            .with("X-Forwarded-For", "198.51.100." + i)
                            .get(Person.LOGIN_OPTIONS + Web.user("ada"))))
                    .as("five times the budget of an address")
                    .isEqualTo(100);
            service.web()
                    .with("X-Forwarded-For", "198.51.101.1")
                    .get(Person.LOGIN_OPTIONS + Web.user("grace"))
                    .expect(200);
        }
    }

    private static long served(IntFunction<Reply> request) {
        return IntStream.range(0, FLOOD)
                .mapToObj(request)
                .filter(reply -> reply.status() == 200)
                .count();
    }
}
