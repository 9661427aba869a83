// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The responses that this instance refused lately, by the trace ids of their ceremonies: in memory alone, so many, none too
 * large, and for a day. Thread-safe.
 *
 * <p>When there are too many, whoever takes the most room makes room: the oldest of the address that most of them came from
 * goes. So one that sends rubbish without end pushes out its own, and not what others are asking a help desk about.
 */
public final class RefusedResponses {
    /** The largest response that is kept; those of browsers have one or two thousand characters. */
    public static final int MOST_CHARS = 8_192;

    /** For how long. */
    public static final Duration TIME = Duration.ofHours(24);

    private static final int MOST = 200;

    /**
     * A response that was refused.
     *
     * @param traceId 32 hex digits
     * @param capture has a refusal
     */
    public record Kept(String traceId, String correlationId, Capture capture) {
        public String supportCode() {
            return SupportCode.of(traceId);
        }
    }

    private record Entry(Kept kept, String address, Instant until) {}

    private final InstantSource clock;
    private final int most;
    /** The oldest first. */
    private final LinkedHashMap<String, Entry> entries = new LinkedHashMap<>();

    public RefusedResponses(InstantSource clock) {
        this(clock, MOST);
    }

    RefusedResponses(InstantSource clock, int most) {
        this.clock = clock;
        this.most = most;
    }

    /**
     * Keeps a response in the place of an earlier one of that ceremony, unless it is too large.
     *
     * @param address what its sender is counted by
     */
    public synchronized void keep(Kept response, String address) {
        if (response.capture().response().length() > MOST_CHARS) {
            return;
        }
        entries.remove(response.traceId());
        entries.put(
                response.traceId(), new Entry(response, address, clock.instant().plus(TIME)));
        if (entries.size() > most) {
            makeRoom();
        }
    }

    /** Those that go by a support code as somebody typed it, a correlation id or a trace id, the newest first. */
    public synchronized List<Kept> find(String text) {
        String id = text.strip();
        String code = SupportCode.read(id);
        String traceId = id.toLowerCase(Locale.ROOT);
        List<Kept> found = new ArrayList<>();
        sweep();
        for (Entry entry : entries.values()) {
            Kept kept = entry.kept();
            if (kept.supportCode().equals(code)
                    || kept.traceId().equals(traceId)
                    || kept.correlationId().equals(id)) {
                found.add(kept);
            }
        }
        Collections.reverse(found);
        return found;
    }

    /** Whether one of this ceremony is kept. */
    public synchronized boolean has(String traceId) {
        sweep();
        return entries.containsKey(traceId);
    }

    /** Forgets those whose time is over. To be called now and then, for nobody may ask. */
    public synchronized void sweep() {
        Instant now = clock.instant();
        entries.values().removeIf(entry -> !now.isBefore(entry.until()));
    }

    private void makeRoom() {
        Map<String, Integer> shares = new HashMap<>();
        entries.values().forEach(entry -> shares.merge(entry.address(), 1, Integer::sum));
        int largest = Collections.max(shares.values());
        for (var oldest = entries.values().iterator(); oldest.hasNext(); ) {
            if (shares.getOrDefault(oldest.next().address(), 0) == largest) {
                oldest.remove();
                return;
            }
        }
    }
}
