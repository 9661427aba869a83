// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BodyBudgetTest {
    private final List<Body> evicted = new ArrayList<>();
    private final BodyBudget budget = new BodyBudget(100, 40);

    @Test
    void bodies_within_the_share_and_the_budget_are_kept() {
        hold("a", 40);
        hold("b", 40);
        assertThat(evicted).isEmpty();
        assertThat(budget.used()).isEqualTo(80);
    }

    @Test
    void an_address_that_has_used_up_its_share_loses_its_largest_body() {
        hold("a", 10);
        Body largest = hold("a", 20);
        Body newcomer = hold("a", 15);
        assertThat(evicted).containsExactly(largest);
        assertThat(budget.used()).isEqualTo(25);
        assertThat(evicted).doesNotContain(newcomer);
    }

    @Test
    void the_oldest_of_equal_bodies_is_evicted_first() {
        List<Body> bodies = List.of(hold("a", 10), hold("a", 10), hold("a", 10), hold("a", 10));
        hold("a", 10);
        assertThat(evicted).containsExactly(bodies.get(0));
    }

    @Test
    void a_full_budget_evicts_from_the_address_that_uses_most() {
        Body small = hold("a", 20);
        Body large = hold("b", 40);
        hold("c", 35);
        Body newcomer = hold("d", 10);
        assertThat(evicted).containsExactly(large).doesNotContain(small, newcomer);
    }

    @Test
    void a_body_that_grows_beyond_the_share_is_evicted_itself() {
        Body growing = hold("a", 10);
        budget.hold(growing, 50);
        assertThat(evicted).containsExactly(growing);
        assertThat(budget.used()).isZero();
        assertThat(budget.evicted()).isEqualTo(1);
    }

    @Test
    void a_trusted_proxy_has_no_share() {
        hold(null, 40);
        hold(null, 40);
        assertThat(evicted).isEmpty();
    }

    @Test
    void a_complete_body_frees_its_memory() {
        Body body = hold("a", 40);
        budget.release(body);
        budget.release(body);
        assertThat(budget.used()).isZero();
        hold("a", 40);
        assertThat(evicted).isEmpty();
    }

    private Body hold(@Nullable String address, long weight) {
        Body body = new Body(address);
        budget.hold(body, weight);
        return body;
    }

    private final class Body implements BodyBudget.Holder {
        private final @Nullable String address;

        Body(@Nullable String address) {
            this.address = address;
        }

        @Override
        public @Nullable String address() {
            return address;
        }

        @Override
        public void evict() {
            evicted.add(this);
        }
    }
}
