// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.explain;

import dev.porchlight.base.IpAddress;
import dev.porchlight.base.SupportCode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;

/**
 * The failed requests of the last 24 hours in this instance. An address that has its share, or an IPv6 network, replaces
 * only its own, so that a client cannot push out those of others. Thread-safe.
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
        int own = 0;
        for (Entry entry : entries) {
            own += entry.client.equals(client) ? 1 : 0;
        }
        if (own >= SHARE) {
            removeOldest(client);
        } else if (entries.size() >= MAX) {
            entries.removeFirst();
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
