// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdsTest {
    @Test
    void the_hash_matches_the_siphash_reference_vector() {
        // The SipHash-2-4 reference vector for the key 00..0f and the message 00..07.
        Ids ids = new Ids(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
        assertThat(ids.sipHash(0x0706050403020100L)).isEqualTo(0x93f5f5799a932462L);
    }

    @Test
    void every_instance_has_its_own_key() {
        assertThat(new Ids().sipHash(1)).isNotEqualTo(new Ids().sipHash(1));
    }

    @Test
    void ids_are_unique_and_never_zero() {
        Ids ids = new Ids();
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            assertThat(seen.add(ids.next())).isTrue();
        }
        assertThat(seen).doesNotContain(0L);
    }

    @Test
    void a_new_trace_has_three_independent_ids_and_the_given_sampling() {
        Ids ids = new Ids();
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            SpanContext trace = ids.trace((parent, low) -> low > 0);
            assertThat(trace.valid()).isTrue();
            assertThat(trace.flags()).isEqualTo(trace.traceIdLow() > 0 ? 3 : 2);
            assertThat(seen.add(trace.traceIdHigh())).isTrue();
            assertThat(seen.add(trace.traceIdLow())).isTrue();
            assertThat(seen.add(trace.spanId())).isTrue();
        }
    }

    @Test
    void every_bit_is_set_about_half_the_time() {
        Ids ids = new Ids();
        int[] ones = new int[64];
        for (int i = 0; i < 20_000; i++) {
            long id = ids.next();
            for (int bit = 0; bit < 64; bit++) {
                ones[bit] += (int) (id >>> bit & 1);
            }
        }
        // Ten standard deviations: a fair bit fails once in 10^23 runs.
        assertThat(Arrays.stream(ones)).allMatch(count -> Math.abs(count - 10_000) < 710);
    }
}
