// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.otlp.FakeTime;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnchoredClockTest {
    private final FakeTime time = new FakeTime();
    private final AnchoredClock clock = new AnchoredClock(time);

    @Test
    void times_follow_the_monotonic_clock_across_zero() {
        assertThat(now()).isEqualTo(FakeTime.EPOCH);
        time.advance(10, TimeUnit.SECONDS);
        assertThat(time.nano).isPositive();
        assertThat(now()).isEqualTo(FakeTime.EPOCH + 10_000_000_000L);
    }

    @ParameterizedTest
    @CsvSource({"50, false", "-50, false", "51, true", "-51, true", "3600000, true"})
    void the_anchor_is_renewed_only_when_the_clocks_differ_by_more_than_50_ms(long millis, boolean follows) {
        time.advance(2, TimeUnit.SECONDS);
        long unmoved = time.epoch;
        time.epoch += TimeUnit.MILLISECONDS.toNanos(millis);
        assertThat(now()).isEqualTo(follows ? time.epoch : unmoved);
    }

    @Test
    void the_wall_clock_is_read_at_most_once_a_second() {
        time.advance(999, TimeUnit.MILLISECONDS);
        time.epoch += TimeUnit.HOURS.toNanos(1);
        assertThat(now()).isEqualTo(FakeTime.EPOCH + 999_000_000);
        time.advance(2, TimeUnit.MILLISECONDS);
        assertThat(now()).isEqualTo(time.epoch);
    }

    private long now() {
        return clock.anchor(time.nano).epochNanos(time.nano);
    }
}
