// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.decoy;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * 256 slots that hold words. A byte derived from an unknown user id selects a slot, so a word with many slots is drawn
 * often. Slots change as rarely as possible: each change alters the decoys of one in 256 unknown users, while real passkeys
 * do not change by themselves. Immutable.
 */
public record DecoySlots(List<String> words) {
    static final int SIZE = 256;

    private static final Comparator<Map.Entry<String, Integer>> MOST_FREQUENT =
            Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey());

    /** Assigns slots in proportion to how often each word occurs. */
    static DecoySlots of(List<String> given) {
        Map<String, Integer> weights = new LinkedHashMap<>();
        given.forEach(word -> weights.merge(word, 1, Integer::sum));
        return of(weights);
    }

    /** Assigns slots in proportion to these weights, which must not be empty. */
    static DecoySlots of(Map<String, Integer> weights) {
        String filler = Collections.max(weights.entrySet(), MOST_FREQUENT).getKey();
        return new DecoySlots(Collections.nCopies(SIZE, filler)).following(weights);
    }

    String at(int slot) {
        return words.get(slot);
    }

    /**
     * Gives slots to each word that has less than half of its share, and at least one slot to each word while slots last.
     * Takes them from the words with the largest surplus.
     *
     * @param weights how often each word was found; if there are more words than slots, only the most frequent are used
     */
    DecoySlots following(Map<String, Integer> weights) {
        long total = weights.values().stream().mapToLong(Integer::longValue).sum();
        Map<String, Integer> shares = new LinkedHashMap<>();
        weights.entrySet().stream()
                .sorted(MOST_FREQUENT.reversed())
                .limit(SIZE)
                .forEach(entry -> shares.put(
                        entry.getKey(), (int) Math.max(1, Math.round((double) SIZE * entry.getValue() / total))));
        String[] slots = words.toArray(new String[0]);
        Map<String, Integer> held = new HashMap<>();
        words.forEach(word -> held.merge(word, 1, Integer::sum));
        shares.forEach((word, share) -> {
            int has = held.getOrDefault(word, 0);
            for (int missing = 2 * has < share ? share - has : 0; missing > 0; missing--) {
                take(slots, word, held, shares);
            }
        });
        return new DecoySlots(List.of(slots));
    }

    /**
     * Gives a word one more slot: from the word with the greatest surplus, or from the most frequent word if this one has none.
     * Last of all from words that were not found, since a sample misses rare ones.
     */
    private static void take(String[] slots, String word, Map<String, Integer> held, Map<String, Integer> shares) {
        String donor = donor(held, entry -> entry.getValue() - shares.getOrDefault(entry.getKey(), 1), 1);
        if (donor == null && !held.containsKey(word)) {
            donor = donor(held, Map.Entry::getValue, 2);
        }
        if (donor == null) {
            donor = donor(held, entry -> entry.getValue() - shares.getOrDefault(entry.getKey(), 0), 1);
        }
        if (donor != null) {
            slots[Arrays.asList(slots).lastIndexOf(donor)] = word;
            held.merge(donor, -1, (now, less) -> now + less == 0 ? null : now + less);
            held.merge(word, 1, Integer::sum);
        }
    }

    private static @Nullable String donor(
            Map<String, Integer> held, ToIntFunction<Map.Entry<String, Integer>> plenty, int least) {
        return held.entrySet().stream()
                .filter(entry -> plenty.applyAsInt(entry) >= least)
                .max(Comparator.comparingInt(plenty).thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    /** Returns the runs of equal slots, in order, as {@code word*length}. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < SIZE; ) {
            int end = i;
            while (end < SIZE && words.get(end).equals(words.get(i))) {
                end++;
            }
            text.append(text.isEmpty() ? "" : " ")
                    .append(words.get(i))
                    .append('*')
                    .append(end - i);
            i = end;
        }
        return text.toString();
    }

    static DecoySlots parse(String text) {
        List<String> words = Arrays.stream(text.split(" ", -1))
                .flatMap(run -> {
                    int star = run.lastIndexOf('*');
                    String word = run.substring(0, star);
                    return Collections.nCopies(Integer.parseInt(run.substring(star + 1)), word).stream();
                })
                .limit(SIZE + 1L)
                .collect(Collectors.toUnmodifiableList());
        if (words.size() != SIZE) {
            throw new IllegalArgumentException(words.size() + " slots");
        }
        return new DecoySlots(words);
    }
}
