// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecentRefusalsTest {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final RecentRefusals refusals = new RecentRefusals(() -> now);

    @Test
    void a_code_is_found_for_a_day() {
        add("ada's", "K7-4QX");
        now = now.plus(Duration.ofHours(24));
        assertThat(refusals.find("k74qx")).hasSize(1);

        now = now.plusMillis(1);

        assertThat(refusals.find("K7-4QX")).isEmpty();
    }

    @Test
    void a_client_cannot_push_out_the_refusals_of_others() {
        add("ada's", "K7-4QX");
        add("mallory's", "AA-AAA");

        IntStream.range(0, 2 * RecentRefusals.MAX).forEach(i -> add("mallory's", "MM-MMM"));

        assertThat(refusals.find("K7-4QX")).hasSize(1);
        assertThat(refusals.find("AA-AAA")).isEmpty();
        assertThat(refusals.find("MM-MMM")).hasSize(RecentRefusals.SHARE);
    }

    @Test
    void clients_with_many_refusals_cannot_push_out_those_of_others_together() {
        add("ada's", "K7-4QX");

        IntStream.range(0, 4 * RecentRefusals.MAX).forEach(i -> add("mallory's " + i % 40, "MM-MMM"));

        assertThat(refusals.find("K7-4QX")).hasSize(1);
        assertThat(refusals.find("MM-MMM")).hasSize(RecentRefusals.MAX - 1);
    }

    @Test
    void all_addresses_of_an_ipv6_network_share_their_part() {
        add("2001:db8:0:1::1", "K7-4QX");

        IntStream.range(0, 2 * RecentRefusals.MAX)
                .forEach(i -> add("2001:db8:0:2::" + Integer.toHexString(i), "MM-MMM"));

        assertThat(refusals.find("K7-4QX")).hasSize(1);
        assertThat(refusals.find("MM-MMM")).hasSize(RecentRefusals.SHARE);
    }

    @Test
    void the_number_of_refusals_is_bounded() {
        IntStream.range(0, 2 * RecentRefusals.MAX).forEach(i -> add("address " + i, "MM-MMM"));

        assertThat(refusals.find("MM-MMM")).hasSize(RecentRefusals.MAX);
    }

    @Test
    void an_empty_code_finds_nothing() {
        add("ada's", "");

        assertThat(refusals.find("")).isEmpty();
    }

    private void add(String address, String code) {
        refusals.add(address, PasskeysEndpointTest.refusal(now.toEpochMilli(), code, "found"));
    }
}
