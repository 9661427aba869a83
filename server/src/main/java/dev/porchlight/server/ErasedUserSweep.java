// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.history.RefusedResponses;
import dev.porchlight.server.storage.ErasedUsers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;

/** Removes users that any instance or command has erased from the memory of this instance. Not thread-safe. */
final class ErasedUserSweep {
    /** The accepted clock skew between instances. */
    private static final long SKEW_MILLIS = Duration.ofMinutes(5).toMillis();

    private final ErasedUsers erased;
    private final Sql sql;
    private final CeremonyHistory history;
    private final RefusedResponses responses;
    private final InstantSource clock;
    private long last;

    ErasedUserSweep(
            ErasedUsers erased, Sql sql, CeremonyHistory history, RefusedResponses responses, InstantSource clock) {
        this.erased = erased;
        this.sql = sql;
        this.history = history;
        this.responses = responses;
        this.clock = clock;
        this.last = clock.millis();
    }

    void run() {
        long now = clock.millis();
        Set<String> hashes = erased.since(sql, last - SKEW_MILLIS);
        if (!hashes.isEmpty()) {
            history.removeUsers(userId -> hashes.contains(erased.hash(userId)));
            responses.removeUsers(userId -> hashes.contains(erased.hash(userId)));
        }
        last = now;
    }
}
