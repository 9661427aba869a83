// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.server.history.Ceremony.State;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The latest ceremonies, by trace id, in bounded memory. Thread-safe.
 *
 * <p>Ceremonies stand on a shelf by how far they came, and each shelf has its own bounds: whoever asks for options without
 * end pushes out ceremonies that were never finished, and none that was refused.
 */
public final class CeremonyHistory {
    private static final int MOST_FOUND = 20;
    private static final int SHOWN_OF_EACH = 25;
    private static final Comparator<Ceremony> NEWEST_FIRST =
            Comparator.comparingLong(Ceremony::at).reversed();

    private final Map<State, Shelf> shelves = new EnumMap<>(State.class);
    private final AtomicLong revision = new AtomicLong();

    /** A history of a few thousand ceremonies in at most some megabytes. */
    public CeremonyHistory() {
        this(1_000, 1_000_000);
    }

    /**
     * A history with its own bounds.
     *
     * @param ceremonies how many are kept of each state
     * @param bytes how much memory those of one state take at most, about
     */
    CeremonyHistory(int ceremonies, int bytes) {
        for (State state : State.values()) {
            shelves.put(state, new Shelf(ceremonies, bytes));
        }
    }

    /** Adds to the ceremony with this trace id, 32 hex digits, what happened in it. */
    public synchronized void add(String traceId, CeremonyEvent event) {
        Ceremony before = null;
        for (Shelf shelf : shelves.values()) {
            before = before == null ? shelf.remove(traceId) : before;
        }
        Ceremony ceremony = before == null ? new Ceremony(traceId, List.of(event)) : before.with(event);
        shelf(ceremony.state()).put(ceremony);
        revision.incrementAndGet();
    }

    /** A number that is another one whenever something was added. */
    public long revision() {
        return revision.get();
    }

    /** The latest of every state, newest first. */
    public synchronized List<Ceremony> latest() {
        return shelves.values().stream()
                .flatMap(shelf -> shelf.all().sorted(NEWEST_FIRST).limit(SHOWN_OF_EACH))
                .sorted(NEWEST_FIRST)
                .toList();
    }

    /** The ceremonies that go by a support code, a correlation id or a trace id, newest first. */
    public synchronized List<Ceremony> find(String text) {
        String id = text.strip();
        String code = SupportCode.read(id);
        String traceId = id.toLowerCase(Locale.ROOT);
        Predicate<Ceremony> matches = ceremony -> ceremony.supportCode().equals(code)
                || ceremony.traceId().equals(traceId)
                || ceremony.hasCorrelationId(id);
        return shelves.values().stream()
                .flatMap(Shelf::all)
                .filter(matches)
                .sorted(NEWEST_FIRST)
                .limit(MOST_FOUND)
                .toList();
    }

    private Shelf shelf(State state) {
        return Objects.requireNonNull(shelves.get(state));
    }

    /** Ceremonies in the order they came, the oldest of which go when there are too many. Guarded by the history. */
    private static final class Shelf {
        private final LinkedHashMap<String, Ceremony> ceremonies = new LinkedHashMap<>();
        private final int most;
        private final int mostBytes;
        private int bytes;

        Shelf(int most, int mostBytes) {
            this.most = most;
            this.mostBytes = mostBytes;
        }

        void put(Ceremony ceremony) {
            ceremonies.put(ceremony.traceId(), ceremony);
            bytes += ceremony.weight();
            var oldest = ceremonies.values().iterator();
            while (ceremonies.size() > most || bytes > mostBytes && ceremonies.size() > 1) {
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

        Stream<Ceremony> all() {
            return ceremonies.values().stream();
        }
    }
}
