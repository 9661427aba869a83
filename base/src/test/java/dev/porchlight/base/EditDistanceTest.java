// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EditDistanceTest {
    @ParameterizedTest
    @CsvSource({
        "'', '', 0",
        "'', abc, 3",
        "origin, origin, 0",
        "origin, orign, 1",
        "origin, oriigin, 1",
        "origin, orogin, 1",
        "origin, orgiin, 1",
        "kitten, sitting, 3",
        "proxies, proxy, 3",
    })
    void the_distance_counts_changed_characters_and_swapped_neighbors(String one, String other, int distance) {
        assertThat(EditDistance.of(one, other)).isEqualTo(distance);
        assertThat(EditDistance.of(other, one)).isEqualTo(distance);
    }
}
