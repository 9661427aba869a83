// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The responses that this instance refused in the last 24 hours, by trace id, in bounded memory. Thread-safe.
 *
 * <p>Each client address has a share: {@link AddressShares}.
 */
public final class RefusedResponses {
    /** The largest response that is kept; browsers send one or two thousand characters. */
    public static final int MAX_CHARS = 8_192;

    /** How long a response is kept. */
    public static final Duration TIME = Duration.ofHours(24);

    private static final int MAX_RESPONSES = 200;

    /**
     * A refused response.
     *
     * @param traceId 32 hex digits
     * @param capture the response with its refusal
     */
    public record RefusedResponse(String traceId, String correlationId, Capture capture) {
        public String supportCode() {
            return SupportCode.of(traceId);
        }
    }

    /**
     * A response in memory.
     *
     * @param owner the keyed hash of the name of the user whose passkey it is, or empty while unknown
     */
    private record Entry(RefusedResponse kept, Instant until, String owner) {}

    private final InstantSource clock;
    private final AddressShares<Entry> entries;

    public RefusedResponses(InstantSource clock) {
        this(clock, MAX_RESPONSES);
    }

    RefusedResponses(InstantSource clock, int max) {
        this.clock = clock;
        this.entries = new AddressShares<>(max);
    }

    /**
     * Stores a response unless it is too large, replacing an earlier one of the same ceremony.
     *
     * @param address the client address that the response counts against
     */
    public synchronized void keep(RefusedResponse response, String address) {
        if (response.capture().response().length() > MAX_CHARS) {
            return;
        }
        entries.put(response.traceId(), new Entry(response, clock.instant().plus(TIME), ""), address);
    }

    /** The responses with this support code (as typed), correlation id or trace id, newest first. */
    public synchronized List<RefusedResponse> find(String text) {
        String id = text.strip();
        String code = SupportCode.read(id);
        String traceId = id.toLowerCase(Locale.ROOT);
        List<RefusedResponse> found = new ArrayList<>();
        sweep();
        for (Entry entry : entries.values()) {
            RefusedResponse kept = entry.kept();
            if (kept.supportCode().equals(code)
                    || kept.traceId().equals(traceId)
                    || kept.correlationId().equals(id)) {
                found.add(kept);
            }
        }
        Collections.reverse(found);
        return found;
    }

    /** The response of this ceremony, or null. */
    synchronized @Nullable RefusedResponse get(String traceId) {
        sweep();
        Entry entry = entries.get(traceId);
        return entry == null ? null : entry.kept();
    }

    /** Whether a response of this ceremony is stored. */
    public boolean has(String traceId) {
        return get(traceId) != null;
    }

    /** Removes expired responses; called periodically. */
    public synchronized void sweep() {
        Instant now = clock.instant();
        entries.removeIf(entry -> !now.isBefore(entry.until()));
    }

    /** Sets whose response it is: most sign-ins do not name a user, but the passkey belongs to one. */
    synchronized void setOwner(String traceId, String owner) {
        entries.change(traceId, entry -> new Entry(entry.kept(), entry.until(), owner));
    }

    /**
     * Removes the responses of users, by their id in the request or by the hash of their name.
     *
     * @return the trace ids of the responses
     */
    public synchronized Set<String> removeUsers(Predicate<String> users, Predicate<String> owners) {
        Set<String> removed = new HashSet<>();
        entries.removeIf(entry -> {
            String userId = entry.kept().capture().userId();
            boolean remove = userId != null && users.test(userId) || owners.test(entry.owner());
            return remove && removed.add(entry.kept().traceId());
        });
        return removed;
    }
}
