// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Failed ceremonies that wait to be stored, by kind and trace id, oldest first. Each kind has its own limit, so one kind never
 * displaces another. Thread-safe.
 */
final class FailureQueue {
    private static final int MAX_OF_KIND = 256;

    /** The kinds of failures, in the order in which they are stored. */
    enum Kind {
        REFUSED,
        ENROLLMENT,
        ABANDONED;

        /** The name in the table. */
        String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Kind of(Ceremony ceremony) {
            if (ceremony.state() != Ceremony.State.REFUSED) {
                return ABANDONED;
            }
            return ceremony.ceremony().equals("enrollment") ? ENROLLMENT : REFUSED;
        }
    }

    /** A failed ceremony with the client address that it counts against. */
    record Waiting(Failure failure, String address) {
        Ceremony ceremony() {
            return failure.ceremony();
        }
    }

    private final Map<Kind, Map<String, Waiting>> queues = new EnumMap<>(Kind.class);

    FailureQueue() {
        for (Kind kind : Kind.values()) {
            queues.put(kind, new LinkedHashMap<>());
        }
    }

    /**
     * Adds a ceremony, replacing what is queued of it.
     *
     * @param response the refused response; if empty, a queued one is kept
     * @return false if another one of its kind was dropped for it
     */
    synchronized boolean add(Ceremony ceremony, String response, String address) {
        String kept = response;
        for (Map<String, Waiting> queue : queues.values()) {
            Waiting before = queue.remove(ceremony.traceId());
            kept = kept.isEmpty() && before != null ? before.failure().response() : kept;
        }
        Map<String, Waiting> queue = Objects.requireNonNull(queues.get(Kind.of(ceremony)));
        queue.put(ceremony.traceId(), new Waiting(new Failure(ceremony, kept), address));
        if (queue.size() <= MAX_OF_KIND) {
            return true;
        }
        evict(queue);
        return false;
    }

    /** Removes the oldest entry of the address with the most entries. */
    private static void evict(Map<String, Waiting> queue) {
        Map<String, Integer> shares = new HashMap<>();
        queue.values().forEach(waiting -> shares.merge(waiting.address(), 1, Integer::sum));
        int largest = Collections.max(shares.values());
        for (var oldest = queue.values().iterator(); oldest.hasNext(); ) {
            if (shares.getOrDefault(oldest.next().address(), 0) == largest) {
                oldest.remove();
                return;
            }
        }
    }

    synchronized List<Waiting> oldest(int ofEachKind) {
        return queues.values().stream()
                .flatMap(queue -> queue.values().stream().limit(ofEachKind))
                .toList();
    }

    List<Waiting> all() {
        return oldest(MAX_OF_KIND);
    }

    /** Removes these, except for those that were replaced in the meantime. */
    synchronized void remove(List<Waiting> stored) {
        for (Waiting waiting : stored) {
            queues.values().forEach(queue -> queue.remove(waiting.ceremony().traceId(), waiting));
        }
    }

    synchronized void removeIf(Predicate<Ceremony> filter) {
        queues.values().forEach(queue -> queue.values().removeIf(waiting -> filter.test(waiting.ceremony())));
    }
}
