// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.server.history.Ceremony.State;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The latest ceremonies of this instance, by trace id, in bounded memory. Thread-safe.
 *
 * <p>Each state has its own bounds, so a client that requests options in a loop evicts only unfinished ceremonies.
 */
final class RecentCeremonies {
    private static final int MAX_SHOWN_PER_STATE = 25;
    static final Comparator<Ceremony> NEWEST_FIRST =
            Comparator.comparingLong(Ceremony::at).reversed();

    private final Map<State, Bucket> buckets = new EnumMap<>(State.class);
    private final AtomicLong revision = new AtomicLong();

    /** A history of a few thousand ceremonies in a few megabytes at most. */
    RecentCeremonies() {
        this(1_000, 1_000_000);
    }

    /**
     * A history with its own bounds.
     *
     * @param ceremonies how many are kept of each state
     * @param bytes the approximate memory limit of each state
     */
    RecentCeremonies(int ceremonies, int bytes) {
        for (State state : State.values()) {
            buckets.put(state, new Bucket(ceremonies, bytes));
        }
    }

    /** Adds an event to the ceremony with this trace id, 32 hex digits, and returns the ceremony. */
    synchronized Ceremony add(String traceId, CeremonyEvent event) {
        Ceremony before = null;
        for (Bucket bucket : buckets.values()) {
            before = before == null ? bucket.remove(traceId) : before;
        }
        Ceremony ceremony = before == null ? new Ceremony(traceId, List.of(event)) : before.with(event);
        bucket(ceremony.state()).put(ceremony);
        revision.incrementAndGet();
        return ceremony;
    }

    /** A number that changes with each added event. */
    long revision() {
        return revision.get();
    }

    /** The latest of every state, newest first. */
    synchronized List<Ceremony> latest() {
        return buckets.values().stream()
                .flatMap(bucket -> bucket.all().sorted(NEWEST_FIRST).limit(MAX_SHOWN_PER_STATE))
                .sorted(NEWEST_FIRST)
                .toList();
    }

    /** The ceremony with this trace id, or null. */
    synchronized @Nullable Ceremony get(String traceId) {
        return buckets.values().stream()
                .flatMap(bucket -> bucket.get(traceId))
                .findFirst()
                .orElse(null);
    }

    /** Returns the ceremonies that match, newest first. */
    synchronized List<Ceremony> find(Predicate<Ceremony> matches) {
        return buckets.values().stream()
                .flatMap(Bucket::all)
                .filter(matches)
                .sorted(NEWEST_FIRST)
                .limit(CeremonyHistory.MAX_FOUND)
                .toList();
    }

    synchronized void removeIf(Predicate<Ceremony> filter) {
        for (Bucket bucket : buckets.values()) {
            bucket.all().filter(filter).map(Ceremony::traceId).toList().forEach(bucket::remove);
        }
        revision.incrementAndGet();
    }

    private Bucket bucket(State state) {
        return Objects.requireNonNull(buckets.get(state));
    }

    /** The ceremonies of one state, oldest first; the oldest are evicted. Guarded by the history. */
    private static final class Bucket {
        private final LinkedHashMap<String, Ceremony> ceremonies = new LinkedHashMap<>();
        private final int max;
        private final int maxBytes;
        private int bytes;

        Bucket(int max, int maxBytes) {
            this.max = max;
            this.maxBytes = maxBytes;
        }

        void put(Ceremony ceremony) {
            ceremonies.put(ceremony.traceId(), ceremony);
            bytes += ceremony.weight();
            var oldest = ceremonies.values().iterator();
            while (ceremonies.size() > max || bytes > maxBytes && ceremonies.size() > 1) {
                bytes -= oldest.next().weight();
                oldest.remove();
            }
        }

        @Nullable
        Ceremony remove(String traceId) {
            Ceremony removed = ceremonies.remove(traceId);
            if (removed != null) {
                bytes -= removed.weight();
            }
            return removed;
        }

        Stream<Ceremony> get(String traceId) {
            return Stream.ofNullable(ceremonies.get(traceId));
        }

        Stream<Ceremony> all() {
            return ceremonies.values().stream();
        }
    }
}
