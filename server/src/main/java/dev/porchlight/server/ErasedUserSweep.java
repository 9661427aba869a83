// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditErasure;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.history.RefusedResponses;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.ErasedUsers;
import dev.porchlight.server.storage.TakenNames;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Removes users that any instance or command has erased from the memory of this instance, from audit rows of requests that ran
 * at the same time as the erasure, and from what the database keeps of deleted rows. Thread-safe.
 */
final class ErasedUserSweep {
    /** The accepted clock skew between instances. */
    private static final long SKEW_MILLIS = Duration.ofMinutes(5).toMillis();

    private final ErasedUsers erased;
    private final AuditErasure audit;
    private final Database database;
    private final Sql sql;
    private final CeremonyHistory history;
    private final RefusedResponses responses;
    private final InstantSource clock;
    private long last;
    private Map<String, Long> known = Map.of();
    private boolean logIsEmpty = true;

    ErasedUserSweep(
            ErasedUsers erased,
            AuditErasure audit,
            Database database,
            CeremonyHistory history,
            RefusedResponses responses,
            InstantSource clock) {
        this.erased = erased;
        this.audit = audit;
        this.database = database;
        this.sql = database.sql();
        this.history = history;
        this.responses = responses;
        this.clock = clock;
        this.last = clock.millis();
    }

    synchronized void run() {
        long now = clock.millis();
        Map<String, Long> hashes = erased.since(sql, last - SKEW_MILLIS);
        if (!hashes.isEmpty()) {
            Predicate<String> users = userId -> hashes.containsKey(erased.hash(userId));
            history.removeUsers(users, responses.removeUsers(users, hashes::containsKey));
            logIsEmpty &= !eraseLateRows(users, last - SKEW_MILLIS);
        }
        logIsEmpty &= known.entrySet().containsAll(hashes.entrySet());
        known = hashes;
        if (!logIsEmpty) {
            logIsEmpty = database.emptyLog();
        }
        last = now;
    }

    /**
     * Replaces erased users in audit rows since a time; true if there were any.
     *
     * @param users erased users, in every spelling; an imported user may have another spelling, and stays
     */
    private boolean eraseLateRows(Predicate<String> users, long since) {
        int replaced = 0;
        for (String userId : audit.usersSince(since)) {
            if (users.test(userId) && !TakenNames.isKnown(sql, userId)) {
                replaced += audit.run(userId, erased.pseudonym(userId));
            }
        }
        return replaced > 0;
    }
}
