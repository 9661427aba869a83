// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.decoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecoySlotsTest {
    private static final DecoySlots COMMON = DecoySlots.of(List.of("a", "a", "b", "c"));

    @Test
    void words_have_slots_in_proportion() {
        assertThat(held(COMMON)).isEqualTo(Map.of("a", 128, "b", 64, "c", 64));
    }

    @Test
    void a_single_word_gets_all_slots() {
        assertThat(held(COMMON.following(Map.of("x", 1)))).isEqualTo(Map.of("x", 256));
    }

    @Test
    void every_word_has_at_least_one_slot() {
        Map<String, Integer> found = new HashMap<>(Map.of("a", 1_000_000));
        IntStream.range(0, 255).forEach(i -> found.put("rare" + i, 1));

        assertThat(Set.copyOf(COMMON.following(found).words())).containsExactlyInAnyOrderElementsOf(found.keySet());
    }

    @Test
    void with_more_words_than_slots_the_most_frequent_get_one() {
        Map<String, Integer> found = new HashMap<>();
        IntStream.range(0, 300).forEach(i -> found.put("word" + i, i + 1));

        assertThat(Set.copyOf(COMMON.following(found).words())).hasSize(256).doesNotContain("word0", "word43");
    }

    @Test
    void a_word_with_at_least_half_of_its_share_changes_nothing() {
        DecoySlots even = DecoySlots.of(List.of("a", "b"));

        assertThat(even.following(Map.of("a", 99, "b", 1))).isEqualTo(even);
    }

    @Test
    void a_missing_word_keeps_its_slots_until_another_needs_them() {
        assertThat(COMMON.following(Map.of("a", 2, "b", 1))).isEqualTo(COMMON);
    }

    @Test
    void a_new_word_changes_only_the_slots_of_its_share() {
        DecoySlots before = DecoySlots.of(List.of("a", "a", "a", "b"));

        DecoySlots after = before.following(Map.of("a", 72, "b", 24, "new", 4));

        assertThat(changed(before, after)).isEqualTo(10);
        assertThat(held(after)).containsEntry("new", 10);
    }

    /** Simulates a deployment that grows from one passkey to a thousand, with random kinds. */
    @Test
    void slots_of_a_growing_deployment_rarely_change() {
        Random random = new Random(7);
        Map<String, Integer> found = new HashMap<>();
        DecoySlots slots = COMMON;
        int early = 0;
        int late = 0;
        for (int n = 1; n <= 1_000; n++) {
            int kind = (int) Math.abs(random.nextGaussian() * 3);
            found.merge("kind" + kind, 1, Integer::sum);
            DecoySlots next = slots.following(found);
            if (n <= 50) {
                early += changed(slots, next);
            } else {
                late += changed(slots, next);
            }
            slots = next;
        }
        assertThat(early).isLessThan(4 * DecoySlots.SIZE);
        assertThat(late).isLessThan(DecoySlots.SIZE / 3);
        Map<String, Integer> held = held(slots);
        found.forEach((word, times) -> assertThat(2 * held.get(word)).isGreaterThanOrEqualTo(256 * times / 1_000));
    }

    @Test
    void slots_survive_a_round_trip() {
        DecoySlots slots = COMMON.following(Map.of("32:usb*x:", 3, "16:", 5));

        assertThat(DecoySlots.parse(slots.text())).isEqualTo(slots);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a*255", "a*257", "a*-1", "a*2000000000 b*2000000000", "a*256 "})
    void a_text_without_256_slots_is_refused(String text) {
        assertThatThrownBy(() -> DecoySlots.parse(text)).isInstanceOf(RuntimeException.class);
    }

    private static long changed(DecoySlots before, DecoySlots after) {
        return IntStream.range(0, DecoySlots.SIZE)
                .filter(i -> !before.at(i).equals(after.at(i)))
                .count();
    }

    private static Map<String, Integer> held(DecoySlots slots) {
        Map<String, Integer> held = new HashMap<>();
        IntStream.range(0, DecoySlots.SIZE).forEach(i -> held.merge(slots.at(i), 1, Integer::sum));
        return held;
    }
}
