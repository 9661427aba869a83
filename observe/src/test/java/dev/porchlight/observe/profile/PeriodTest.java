// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.profile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PeriodTest {
    @Test
    void an_addition_after_emptying_is_reported_and_nothing_is_counted_twice() {
        Period period = new Period(0);
        Totals totals = new Totals();
        assertThat(period.add(2_000_000)).isTrue();
        period.emptyInto(totals);
        assertThat(period.add(4_000_000)).isFalse();
        period.emptyInto(totals);
        period.emptyInto(totals);
        assertThat(totals.statistics().count()).isEqualTo(2);
        assertThat(totals.statistics().mean()).isEqualTo(3.0);
    }
}
