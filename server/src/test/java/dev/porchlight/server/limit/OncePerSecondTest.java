// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OncePerSecondTest {
    private long now = -1;
    private final OncePerSecond lines = new OncePerSecond(() -> now);

    @Test
    void the_first_event_of_a_second_passes_and_the_others_are_counted() {
        assertThat(lines.pass("full")).isZero();
        assertThat(lines.pass("full")).isEqualTo(OncePerSecond.HELD_BACK);
        assertThat(lines.pass("full")).isEqualTo(OncePerSecond.HELD_BACK);
        now += Duration.ofSeconds(1).toNanos();
        assertThat(lines.pass("full")).isEqualTo(2);
        assertThat(lines.pass("full")).isEqualTo(OncePerSecond.HELD_BACK);
    }

    @Test
    void one_kind_does_not_hide_another() {
        assertThat(lines.pass("full")).isZero();
        assertThat(lines.pass("damaged")).isZero();
    }

    @Test
    void the_number_of_kinds_is_bounded() {
        for (int i = 0; i < 5_000; i++) {
            assertThat(lines.pass("kind " + i)).isZero();
        }
        assertThat(lines.pass("kind 0")).as("dropped").isZero();
    }
}
