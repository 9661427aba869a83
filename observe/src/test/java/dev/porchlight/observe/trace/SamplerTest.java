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
    void a_trace_sampled_at_one_ratio_is_sampled_at_every_higher_ratio(
            @ForAll long traceIdLow, @ForAll @DoubleRange(max = 1) double a, @ForAll @DoubleRange(max = 1) double b) {
        boolean low = Sampler.ratio(Math.min(a, b)).sample(SpanContext.NONE, traceIdLow);
        boolean high = Sampler.ratio(Math.max(a, b)).sample(SpanContext.NONE, traceIdLow);
        assertThat(low && !high).isFalse();
    }

    @Test
    void about_the_configured_ratio_is_sampled() {
        Sampler tenth = Sampler.ratio(0.1);
        long sampled = LongStream.generate(ids::next)
                .limit(100_000)
                .filter(id -> tenth.sample(SpanContext.NONE, id))
                .count();
        assertThat(sampled).isBetween(9_000L, 11_000L); // more than ten standard deviations each way
    }

    @Test
    void ratio_zero_samples_nothing_and_ratio_one_everything() {
        for (long id : new long[] {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThat(Sampler.ratio(0).sample(SpanContext.NONE, id)).isFalse();
            assertThat(Sampler.ratio(1).sample(SpanContext.NONE, id)).isTrue();
        }
    }
}
