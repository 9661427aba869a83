// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class SamplerTest {
    private final Ids ids = new Ids();

    @Property
    void takes_a_trace_at_every_higher_ratio_once_it_takes_it_at_one(
            @ForAll long traceIdLow, @ForAll @DoubleRange(max = 1) double a, @ForAll @DoubleRange(max = 1) double b) {
        boolean low = Sampler.ratio(Math.min(a, b)).sample(SpanContext.NONE, traceIdLow);
        boolean high = Sampler.ratio(Math.max(a, b)).sample(SpanContext.NONE, traceIdLow);
        assertThat(low && !high).isFalse();
    }

    @Test
    void takes_about_the_share_it_was_told() {
        Sampler tenth = Sampler.ratio(0.1);
        long taken = LongStream.generate(ids::next)
                .limit(100_000)
                .filter(id -> tenth.sample(SpanContext.NONE, id))
                .count();
        assertThat(taken).isBetween(9_000L, 11_000L); // more than ten standard deviations each way
    }

    @Test
    void takes_none_at_zero_and_all_at_one() {
        for (long id : new long[] {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThat(Sampler.ratio(0).sample(SpanContext.NONE, id)).isFalse();
            assertThat(Sampler.ratio(1).sample(SpanContext.NONE, id)).isTrue();
        }
    }
}
