// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RankTestTest {
    @Test
    void equal_samples_show_no_difference() {
        long[] same = LongStream.range(0, 50).toArray();

        assertThat(RankTest.of(same, same).probability()).isGreaterThan(0.99);
        assertThat(RankTest.of(same, same).greater()).isEqualTo(0.5);
        assertThat(RankTest.of(new long[30], new long[30]).probability()).isEqualTo(1);
    }

    @Test
    void disjoint_samples_differ() {
        long[] low = LongStream.range(0, 30).toArray();
        long[] high = LongStream.range(100, 130).toArray();

        assertThat(RankTest.of(low, high).probability())
                .isLessThan(1e-9)
                .isEqualTo(RankTest.of(high, low).probability());
        assertThat(RankTest.of(low, high).u()).isZero();
        assertThat(RankTest.of(high, low).greater()).isEqualTo(1);
    }

    /** U = 112.5 and z = 2.3550, computed independently with the formulas for ties and continuity correction. */
    @Test
    void tied_values_give_the_textbook_result() {
        long[] left = LongStream.rangeClosed(1, 20).toArray();
        long[] right = LongStream.rangeClosed(6, 25).toArray();

        assertThat(RankTest.of(left, right).u()).isEqualTo(112.5);
        assertThat(RankTest.of(left, right).probability()).isCloseTo(0.018522, within(0.00001));
    }
}
