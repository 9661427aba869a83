// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import dev.porchlight.base.sql.Sql;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads what access depends on from the database, at each request. Thread-safe. */
public final class AccessReads {
    private final Sql sql;
    private final Function<String, @Nullable PasskeyAccess> passkeys;

    private AccessReads(Sql sql, Function<String, @Nullable PasskeyAccess> passkeys) {
        this.sql = sql;
        this.passkeys = passkeys;
    }

    /** A query for each read. */
    public static AccessReads single(Sql sql) {
        return new AccessReads(sql, id -> PasskeyAccess.read(sql, id));
    }

    /** A query for all reads that wait, on PostgreSQL. The watcher hears of each read. */
    static AccessReads combined(Sql unwatched, Sql sql, Sql.Watcher watcher) {
        Combiner<String, PasskeyAccess> byId = new Combiner<>(ids -> PasskeyAccess.readAll(unwatched, ids));
        return new AccessReads(sql, id -> {
            Runnable ended = watcher.begin("SELECT passkey_credential");
            try {
                return byId.get(id);
            } finally {
                ended.run();
            }
        });
    }

    /** The passkey with this id, or null if none is registered. */
    public @Nullable PasskeyAccess passkey(String credentialId) {
        return passkeys.apply(credentialId);
    }

    public UserAccess user(String userId) {
        return UserAccess.read(sql, userId);
    }
}
