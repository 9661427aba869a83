// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
    private final Arrivals arrivals = new Arrivals(10, new ScheduledExecutorScheduler(), Runnable::run);

    @Test
    void there_is_only_so_much_room_for_what_is_on_its_way() {
        assertThat(arrivals.take(6)).isTrue();
        assertThat(arrivals.take(5)).isFalse();
        assertThat(arrivals.take(4)).isTrue();
        assertThat(arrivals.refused()).isEqualTo(1);
    }

    @Test
    void room_that_was_given_back_can_be_had_again() {
        assertThat(arrivals.take(10)).isTrue();
        arrivals.giveBack(10);
        assertThat(arrivals.take(10)).isTrue();
    }

    @Test
    void there_is_room_for_every_connection_to_wait() {
        assertThat(Limits.DEFAULT.connections() * Arrivals.WEIGHT).isLessThan(Arrivals.ROOM);
    }
}
