// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.base.SupportCode;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.crypto.KeyedHash;
import dev.porchlight.server.crypto.Sealer;
import dev.porchlight.server.history.FailureQueue.Waiting;
import dev.porchlight.server.storage.ErasedUsers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The failed ceremonies of all instances, for a day, in the table {@code porchlight_failed_ceremony}. Thread-safe.
 *
 * <p>A request only adds to a bounded queue, and {@link #flush} writes it: strangers cause failures, which must not cost a
 * commit each. The content is encrypted and found by keyed hashes. When the queue or the table is full, the client address
 * with the most entries loses its oldest one, so a flood from one address displaces only its own. In both, each kind of
 * failure has its own limit.
 */
public final class FailedCeremonies {
    /** The largest ceremony that is stored, as JSON. */
    static final int MAX_CHARS = 24_576;

    private static final int BATCH = 64;

    private static final String PUT =
            "INSERT INTO porchlight_failed_ceremony (ceremony_id, kind, trace_hash, code_hash,"
                    + " correlation_hash, client_hash, owner, address, sealed, created_at, expires_at)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (ceremony_id) DO UPDATE SET kind = excluded.kind,"
                    + " correlation_hash = excluded.correlation_hash, client_hash = excluded.client_hash,"
                    + " owner = excluded.owner, address = excluded.address, sealed = excluded.sealed,"
                    + " created_at = excluded.created_at, expires_at = excluded.expires_at";
    private static final String TRIM = "DELETE FROM porchlight_failed_ceremony WHERE ceremony_id IN (SELECT ceremony_id"
            + " FROM (SELECT ceremony_id, ROW_NUMBER()"
            + " OVER (PARTITION BY kind ORDER BY place, created_at DESC, ceremony_id DESC) AS standing"
            + " FROM (SELECT ceremony_id, kind, created_at, ROW_NUMBER()"
            + " OVER (PARTITION BY kind, address ORDER BY created_at DESC, ceremony_id) AS place"
            + " FROM porchlight_failed_ceremony) AS shares) AS standings WHERE standing > ?)";
    private static final String ERASED = ErasedUsers.contains("porchlight_failed_ceremony.owner");
    private static final String FIND = "SELECT ceremony_id, sealed FROM porchlight_failed_ceremony WHERE expires_at > ?"
            + " AND NOT " + ERASED
            + " AND (trace_hash = ? OR code_hash = ? OR correlation_hash = ? OR owner <> '' AND owner = ?"
            + " OR client_hash <> '' AND client_hash = ?)"
            + " ORDER BY created_at DESC, ceremony_id LIMIT ?";
    private static final String OF_TRACES = "SELECT ceremony_id, sealed FROM porchlight_failed_ceremony"
            + " WHERE expires_at > ? AND NOT " + ERASED + " AND trace_hash IN (";
    private static final String REMOVE = "DELETE FROM porchlight_failed_ceremony WHERE ceremony_id = ?";
    private static final String CONTENT = "SELECT sealed FROM porchlight_failed_ceremony WHERE ceremony_id = ?";
    private static final String SWEEP = "DELETE FROM porchlight_failed_ceremony WHERE expires_at <= ? OR " + ERASED;

    /**
     * The result of a search.
     *
     * @param complete false if the database is unavailable and only the queue was searched
     */
    record Failures(List<Failure> found, boolean complete) {}

    private final Sql sql;
    private final ErasedUsers erased;
    private final KeyedHash index;
    private final Sealer sealer;
    private final InstantSource clock;
    private final int maxRows;
    private final String instance = UUID.randomUUID().toString();
    private final FailureQueue queue = new FailureQueue();
    final AtomicLong stored = new AtomicLong();
    final AtomicLong dropped = new AtomicLong();

    /** Keeps this many rows of each kind. */
    FailedCeremonies(Sql sql, ErasedUsers erased, KeyedHash index, Sealer sealer, InstantSource clock, int maxRows) {
        this.sql = sql;
        this.erased = erased;
        this.index = index;
        this.sealer = sealer;
        this.clock = clock;
        this.maxRows = maxRows;
    }

    /**
     * Queues a ceremony, replacing what is queued of it. One that succeeded late is removed from the table.
     *
     * @param response the refused response; if empty, a queued one is kept. Not stored if it may have secrets
     * @param address the client address that it counts against
     */
    void add(Ceremony ceremony, String response, String address) {
        if (!queue.add(ceremony, Failure.mayHaveSecrets(response) ? "" : response, address)) {
            dropped.incrementAndGet();
        }
    }

    /** Removes queued ceremonies. Stored ones are removed by {@link #sweep}. */
    void removeIf(Predicate<Ceremony> filter) {
        queue.removeIf(filter);
    }

    /**
     * Stores queued ceremonies; the next call stores more. They stay in the queue, where searches find them, until they are
     * stored: longer if the database is unavailable.
     */
    void flush() {
        removeIf(ceremony -> expiry(ceremony) <= clock.millis());
        List<Waiting> batch = queue.oldest(BATCH);
        if (batch.isEmpty()) {
            return;
        }
        try {
            List<Object[]> rows = new ArrayList<>();
            batch.forEach(waiting -> add(rows, waiting));
            var unused = sql.transaction("store failed ceremonies", connection -> write(connection, rows, batch));
            sweep(); // a user may have been erased before the rows were visible to the erasure
            stored.addAndGet(rows.size());
            queue.remove(batch);
        } catch (StorageException e) {
            // they keep waiting
        }
    }

    private int write(Connection connection, List<Object[]> rows, List<Waiting> batch) throws SQLException {
        for (Object[] row : rows) {
            Sql.update(connection, PUT, row);
        }
        for (Waiting waiting : batch) {
            if (waiting.ceremony().succeededLate()) {
                Sql.update(connection, REMOVE, id(waiting.ceremony()));
            }
        }
        return Sql.update(connection, TRIM, maxRows);
    }

    private void add(List<Object[]> rows, Waiting waiting) {
        Ceremony ceremony = waiting.ceremony();
        if (ceremony.succeededLate()) {
            return;
        }
        String id = id(ceremony);
        Failure failure = withStoredResponse(waiting.failure(), id);
        String userId = userOf(failure);
        String owner = userId.isEmpty() ? "" : erased.hash(userId);
        Long erasedAt = userId.isEmpty() || SqlUsers.isKnown(sql, userId) ? null : erased.time(sql, owner);
        if (erasedAt != null) {
            if (ceremony.events().get(0).request().at() <= erasedAt) {
                return; // erased with its user
            }
            ceremony = ceremony.ofErasedUser(erasedAt);
            failure = new Failure(ceremony, "");
            owner = "";
        }
        String content = CeremonyJson.write(failure);
        if (content.length() > MAX_CHARS) {
            content = CeremonyJson.write(new Failure(ceremony, ""));
        }
        if (content.length() > MAX_CHARS) {
            dropped.incrementAndGet();
            return;
        }
        rows.add(new Object[] {
            id,
            FailureQueue.Kind.of(ceremony).code(),
            hash("trace", ceremony.traceId()),
            hash("code", ceremony.supportCode()),
            hash("correlation", ceremony.failure().request().correlationId()),
            ceremony.client().isEmpty() ? "" : hash("client", ceremony.client()),
            owner,
            hash("address", waiting.address()),
            sealer.seal(content, id),
            clock.millis(),
            expiry(ceremony)
        });
    }

    /** A response that was stored with an earlier event of the ceremony stays. */
    private Failure withStoredResponse(Failure failure, String id) {
        if (!failure.response().isEmpty() || failure.ceremony().kept() == null) {
            return failure;
        }
        return sql.query(CONTENT, row -> open(id, row.getString(1)), id).stream()
                .flatMap(Optional::stream)
                .findFirst()
                .map(stored -> new Failure(failure.ceremony(), stored.response()))
                .orElse(failure);
    }

    private String id(Ceremony ceremony) {
        return hash("id", instance + ' ' + ceremony.traceId());
    }

    private static long expiry(Ceremony ceremony) {
        return ceremony.at() + CeremonyHistory.TIME.toMillis();
    }

    /** The user whose erasure removes the row, or empty: the passkey and the user handle in the response also name them. */
    private String userOf(Failure failure) {
        String userId = failure.ceremony().user();
        if (!userId.isEmpty() || failure.response().isEmpty()) {
            return userId;
        }
        String holder = Capture.holder(sql, failure.response());
        return holder == null ? "" : holder;
    }

    /**
     * Finds queued ceremonies that match, and stored ones by any of these, newest first. Empty texts match nothing.
     *
     * @param id a support code (as typed), correlation id or trace id
     */
    Failures find(Predicate<Ceremony> matches, String id, String user, String client) {
        List<Failure> found = new ArrayList<>();
        for (Waiting waiting : queue.all()) {
            if (matches.test(waiting.ceremony())) {
                found.add(0, waiting.failure());
            }
        }
        String code = SupportCode.read(id);
        boolean complete = readStored(
                found::add,
                FIND,
                clock.millis(),
                hash("trace", id.toLowerCase(Locale.ROOT)),
                hash("code", code == null ? "" : code),
                hash("correlation", id),
                user.isEmpty() ? "" : erased.hash(user),
                client.isEmpty() ? "" : hash("client", client),
                CeremonyHistory.MAX_FOUND);
        return new Failures(found, complete);
    }

    /** Reads stored ceremonies; false if the database is unavailable. */
    private boolean readStored(Consumer<Failure> reader, String select, Object... values) {
        try {
            sql.query(select, row -> open(row.getString(1), row.getString(2)), values)
                    .forEach(stored -> stored.ifPresent(reader));
            return true;
        } catch (StorageException e) {
            return false;
        }
    }

    /** Those of these trace ids whose refused response is queued or stored. */
    Set<String> withResponse(List<String> traceIds) {
        Set<String> found = new HashSet<>();
        queue.all().stream().map(Waiting::failure).forEach(failure -> addIfKept(found, failure));
        if (!traceIds.isEmpty()) {
            Stream<Object> hashes = traceIds.stream().map(id -> hash("trace", id));
            String marks = Sql.marks(traceIds.size());
            // Without the database, those in it cannot be explained now.
            var unused = readStored(
                    failure -> addIfKept(found, failure),
                    OF_TRACES + marks + ")",
                    Stream.concat(Stream.of(clock.millis()), hashes).toArray());
        }
        found.retainAll(traceIds);
        return found;
    }

    private static void addIfKept(Set<String> found, Failure failure) {
        if (failure.capture() != null) {
            found.add(failure.ceremony().traceId());
        }
    }

    private Optional<Failure> open(String id, String sealed) {
        return Optional.ofNullable(sealer.open(sealed, id)).map(CeremonyJson::read);
    }

    /** Removes the stored ceremonies of a user who is erased, by the hash of their name, within the transaction of the erasure. */
    public static void forget(Connection connection, String owner) throws SQLException {
        Sql.update(connection, "DELETE FROM porchlight_failed_ceremony WHERE owner = ?", owner);
    }

    /** Removes expired ceremonies, and those of erased users. */
    void sweep() {
        sql.update(SWEEP, clock.millis());
    }

    private String hash(String kind, String text) {
        return index.base64Of(kind + ' ' + text);
    }
}
