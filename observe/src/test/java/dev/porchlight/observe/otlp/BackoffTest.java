// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
    @Property
    void the_delay_doubles_with_20_percent_jitter(
            @ForAll @IntRange(min = 1) int failures, @ForAll @DoubleRange(max = 1, maxIncluded = false) double random) {
        long nanos = new Backoff(() -> random).nanos(failures, -1);
        double seconds = Math.min(60, Math.pow(2, failures - 1.0));
        assertThat(nanos / 1e9).isBetween(seconds * 0.799, seconds * 1.2);
    }

    @Test
    void delays_are_spread() {
        assertThat(new Backoff(() -> 0).nanos(1, -1)).isLessThan(new Backoff(() -> 0.99).nanos(1, -1));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "7, 7", "120, 120", "86400, 900"})
    void the_requested_delay_is_honored_within_limits(long requested, long delay) {
        assertThat(new Backoff(() -> 0.5).nanos(5, TimeUnit.SECONDS.toNanos(requested)))
                .isEqualTo(TimeUnit.SECONDS.toNanos(delay));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 0",
                " 120 | 120",
                "Tue, 14 Nov 2023 22:13:21 GMT | 1",
                "Tue, 14 Nov 2023 22:13:19 GMT | 0",
                "Sun, 06 Nov 1994 08:49:37 GMT | 0",
                "-1 | -1",
                "1.5 | -1",
                "'' | -1",
                "tomorrow | -1",
                "99999999999999999999 | 9223372036",
            })
    void both_forms_of_retry_after_are_parsed(String header, long seconds) {
        long nanos = Backoff.requested(header, FakeTime.EPOCH);
        assertThat(nanos < 0 ? -1 : TimeUnit.NANOSECONDS.toSeconds(nanos)).isEqualTo(seconds);
    }
}
