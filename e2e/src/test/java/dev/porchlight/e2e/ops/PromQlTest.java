// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.ops.PromQl.Selector;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PromQlTest {
    @Test
    void a_query_yields_its_metrics_labels_and_groupings() {
        PromQl query = PromQl.parse("""
                topk(10, histogram_quantile(0.99, sum by (le, route) (rate(a_bucket{job="$job", status!~"5..", le="0.25"}[$__rate_interval]))))
                and on (job) 3 * b:c:rate5m > bool 1e3 or absent(d) unless e offset 5m
                """);

        assertThat(query.groupings()).containsExactlyInAnyOrder("le", "route", "job");
        assertThat(query.selectors())
                .containsExactly(
                        new Selector("a_bucket", Set.of("job", "status", "le"), Map.of("le", "0.25")),
                        new Selector("b:c:rate5m", Set.of(), Map.of()),
                        new Selector("d", Set.of(), Map.of()),
                        new Selector("e", Set.of(), Map.of()));
    }
}
