// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.ErasedUsers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;

/**
 * Removes users that any instance or command has erased from the memory of this instance, and from what the database keeps of deleted rows. Thread-safe.
 */
public final class ErasedUserSweep {
    /** The accepted clock skew between instances. */
    private static final long SKEW_MILLIS = Duration.ofMinutes(5).toMillis();

    private final ErasedUsers erased;
    private final Database database;
    private final Sql sql;
    private final CeremonyHistory history;
    private final InstantSource clock;
    private long last;
    private Map<String, Long> known = Map.of();
    private boolean logIsEmpty = true;

    public ErasedUserSweep(ErasedUsers erased, Database database, CeremonyHistory history, InstantSource clock) {
        this.erased = erased;
        this.database = database;
        this.sql = database.sql();
        this.history = history;
        this.clock = clock;
        this.last = clock.millis();
    }

    public synchronized void run() {
        long now = clock.millis();
        Map<String, Long> hashes = erased.since(sql, last - SKEW_MILLIS);
        boolean unchanged = known.entrySet().containsAll(hashes.entrySet());
        if (!hashes.isEmpty()) {
            // A passkey whose user is unknown may be of the user who was erased just now.
            history.removeUsers(userId -> userId.isEmpty() ? !unchanged : hashes.containsKey(erased.hash(userId)));
        }
        logIsEmpty &= unchanged;
        known = hashes;
        if (!logIsEmpty) {
            logIsEmpty = database.emptyLog();
        }
        last = now;
    }
}
