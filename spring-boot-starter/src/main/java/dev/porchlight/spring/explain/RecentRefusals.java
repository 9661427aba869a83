// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.explain;

import dev.porchlight.base.IpAddress;
import dev.porchlight.base.SupportCode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The failed requests of the last 24 hours in this instance. An address or IPv6 network that has its share replaces only its
 * own. When all places are taken, the one with the most entries loses its oldest, so that a few clients cannot push out those of
 * others. Thread-safe.
 */
public final class RecentRefusals {
    static final int MAX = 2_000;
    static final int SHARE = 200;
    private static final long KEPT_MS = Duration.ofHours(24).toMillis();

    private record Entry(String client, Refusal refusal) {}

    private final InstantSource clock;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();

    public RecentRefusals(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Adds a refusal.
     *
     * @param address the address of the client
     */
    public synchronized void add(String address, Refusal refusal) {
        removeExpired();
        String client = IpAddress.limitKey(address);
        Map<String, Integer> shares = new LinkedHashMap<>();
        entries.forEach(entry -> shares.merge(entry.client, 1, Integer::sum));
        if (shares.getOrDefault(client, 0) >= SHARE) {
            removeOldest(client);
        } else if (entries.size() >= MAX) {
            removeOldest(Collections.max(shares.entrySet(), Map.Entry.comparingByValue())
                    .getKey());
        }
        entries.addLast(new Entry(client, refusal));
    }

    /** Returns the refusals with a support code, as typed, or with a correlation id. The oldest one is first. */
    public synchronized List<Refusal> find(String typed) {
        removeExpired();
        String code = SupportCode.read(typed);
        String id = typed.strip();
        return entries.stream()
                .map(Entry::refusal)
                .filter(refusal -> refusal.supportCode().equals(code)
                        || refusal.correlationId().equals(id))
                .toList();
    }

    private void removeExpired() {
        long oldest = clock.millis() - KEPT_MS;
        while (!entries.isEmpty() && entries.getFirst().refusal.at() < oldest) {
            entries.removeFirst();
        }
    }

    private void removeOldest(String client) {
        Iterator<Entry> each = entries.iterator();
        while (each.hasNext()) {
            if (each.next().client.equals(client)) {
                each.remove();
                return;
            }
        }
    }
}
