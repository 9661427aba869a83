// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.remote.Person;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How often requests wait for PostgreSQL, over one connection. */
class RoundTripsTest {
    /** Background tasks and samples for decoys add to some of these attempts, but not to all. */
    private static final int ATTEMPTS = 10;

    private static PostgresTraffic traffic;
    private static Service service;

    @BeforeAll
    static void start() throws Exception {
        traffic = new PostgresTraffic(TestDatabase.POSTGRES.freshUrl());
        service = Service.at(traffic.jdbcUrl(), "DATABASE_CONNECTIONS", "1");
    }

    @AfterAll
    static void stop() throws Exception {
        service.close();
        traffic.close();
    }

    @Test
    void a_sign_up_is_two_reads_and_one_unit_of_work() {
        assertThat(least(traffic::transactions, () -> service.newUser().enroll()))
                .isEqualTo(3);
    }

    @Test
    void a_login_is_one_read_for_its_options_and_one_with_a_unit_of_two_round_trips_to_finish() {
        Person person = service.newUser().enroll();
        person.login().expect(200);

        assertThat(least(traffic::roundTrips, () -> person.login().expect(200))).isEqualTo(4);
    }

    private static int least(IntSupplier counter, Runnable attempt) {
        return IntStream.range(0, ATTEMPTS)
                .map(each -> {
                    int before = counter.getAsInt();
                    attempt.run();
                    return counter.getAsInt() - before;
                })
                .min()
                .getAsInt();
    }
}
