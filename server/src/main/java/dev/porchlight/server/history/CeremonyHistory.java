// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.crypto.KeyedHash;
import dev.porchlight.server.crypto.Sealer;
import dev.porchlight.server.history.FailedCeremonies.Failures;
import dev.porchlight.server.storage.ErasedUsers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The ceremonies that operators see: the latest ones of this instance, in memory ({@link RecentCeremonies}), and the failed
 * ones of all instances, in the database for a day ({@link FailedCeremonies}). Thread-safe.
 */
public final class CeremonyHistory {
    /** How long a failed ceremony and its response are kept. */
    public static final Duration TIME = Duration.ofHours(24);

    /** The largest response that is kept; browsers send one or two thousand characters. */
    public static final int MAX_RESPONSE_CHARS = 8_192;

    static final int MAX_FOUND = 20;
    /** The number of failed ceremonies that are kept of each kind. */
    private static final int MAX_FAILED = 1_000;

    /**
     * The result of a search, newest first.
     *
     * @param complete false if the database is unavailable and only this instance's memory was searched
     */
    public record SearchResult(List<Ceremony> ceremonies, boolean complete) {}

    private final RecentCeremonies recent = new RecentCeremonies();
    private final FailedCeremonies failed;

    /**
     * Creates a history.
     *
     * @param index the key of the hashes that find stored ceremonies
     * @param sealer encrypts them
     */
    public CeremonyHistory(Sql sql, ErasedUsers erased, KeyedHash index, Sealer sealer, InstantSource clock) {
        this.failed = new FailedCeremonies(sql, erased, index, sealer, clock, MAX_FAILED);
    }

    /**
     * Adds an event to a ceremony. If it is a failure, the ceremony is stored.
     *
     * @param traceId 32 hex digits
     * @param address the client address that a failure counts against
     */
    public void add(String traceId, CeremonyEvent event, String address) {
        add(traceId, event, "", address);
    }

    /**
     * Adds an event to a ceremony. If it is a failure, the ceremony is stored.
     *
     * @param response the refused response, or empty if there is none to keep
     */
    public void add(String traceId, CeremonyEvent event, String response, String address) {
        synchronized (recent) { // or else a thread could queue an older state of the ceremony after a newer one
            Ceremony ceremony = recent.add(traceId, event);
            // The report of a refusal that is stored already adds nothing.
            if (event.succeeded()
                    ? ceremony.succeededLate()
                    : event.equals(ceremony.failure()) || ceremony.failure() instanceof BrowserReport) {
                failed.add(ceremony, response, address);
            }
        }
    }

    /** A number that changes with each added event. */
    public long revision() {
        return recent.revision();
    }

    /** The latest ceremonies of this instance in every state, newest first. */
    public List<Ceremony> latest() {
        return recent.latest();
    }

    /** The trace ids of those ceremonies whose refused response is still kept. */
    public Set<String> explainable(List<Ceremony> ceremonies) {
        return failed.withResponse(ceremonies.stream()
                .filter(ceremony -> ceremony.kept() != null)
                .map(Ceremony::traceId)
                .toList());
    }

    /** The ceremonies with this support code (as typed), correlation id, trace id, user or client. */
    public SearchResult find(String text) {
        String name = text.strip();
        Predicate<Ceremony> matches = Ceremony.identifiedBy(name)
                .or(ceremony ->
                        ceremony.hasUser(name::equals) || ceremony.client().equals(name));
        return merge(matches, failed.find(matches, name, name, name));
    }

    /** The ceremonies with this support code (as typed), correlation id or trace id. */
    public SearchResult findById(String id) {
        Predicate<Ceremony> matches = Ceremony.identifiedBy(id);
        return merge(matches, failed.find(matches, id.strip(), "", ""));
    }

    /** The refused requests of an OpenID Connect client. */
    public SearchResult ofClient(String clientId) {
        Predicate<Ceremony> matches = ceremony -> ceremony.client().equals(clientId);
        return merge(matches, failed.find(matches, "", "", clientId));
    }

    private SearchResult merge(Predicate<Ceremony> matches, Failures failures) {
        Map<String, Ceremony> found = new LinkedHashMap<>();
        recent.find(matches).forEach(ceremony -> found.put(ceremony.traceId(), ceremony));
        for (Failure failure : failures.found()) {
            Ceremony ceremony = failure.ceremony();
            String id = ceremony.traceId();
            Ceremony known = found.containsKey(id) ? found.get(id) : recent.get(id);
            boolean merges = known != null && ceremony.userErasedAt() == null; // or else the name is only in memory
            found.put(id, merges ? Objects.requireNonNull(known).mergedWith(ceremony) : ceremony);
        }
        List<Ceremony> newest = found.values().stream()
                .sorted(RecentCeremonies.NEWEST_FIRST)
                .limit(MAX_FOUND)
                .toList();
        return new SearchResult(newest, failures.complete());
    }

    /** The refused responses with this support code (as typed), correlation id or trace id, newest first. */
    public List<Capture> findResponses(String text) {
        Map<String, Capture> found = new LinkedHashMap<>();
        for (Failure failure :
                failed.find(Ceremony.identifiedBy(text), text.strip(), "", "").found()) {
            Capture capture = failure.capture();
            if (capture != null) {
                found.putIfAbsent(failure.ceremony().traceId(), capture);
            }
        }
        return found.values().stream()
                .sorted(Comparator.comparingLong(Capture::refusedAt).reversed())
                .toList();
    }

    /**
     * Removes the ceremonies of erased users from memory.
     *
     * @param users matches their ids; gets an empty id if a passkey was presented and its user is unknown
     */
    public void removeUsers(Predicate<String> users) {
        recent.removeIf(ceremony -> ceremony.hasUser(users));
        failed.removeIf(ceremony -> ceremony.hasUser(users));
    }

    /** Stores the failed ceremonies that wait for it. */
    public void flush() {
        failed.flush();
    }

    /** Removes expired ceremonies, and those of erased users, from the database. */
    public void sweep() {
        failed.sweep();
    }

    /** The number of ceremonies stored since the start. */
    public long stored() {
        return failed.stored.get();
    }

    /** The number of ceremonies not stored since the start: too many were waiting, or one was too large. */
    public long dropped() {
        return failed.dropped.get();
    }
}
