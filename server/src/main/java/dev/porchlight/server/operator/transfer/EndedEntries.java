// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.passkey.store.ImportScreening;
import dev.porchlight.server.storage.ErasedUsers;
import dev.porchlight.server.storage.PasskeySource;
import dev.porchlight.server.storage.RemovedPasskeys;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Keeps an import from reviving passkeys that were removed and users who were erased, unless {@code revive} is set. Records what is
 * imported, so that users are notified of it. Not thread-safe.
 */
public final class EndedEntries implements ImportScreening {
    private final ErasedUsers users;
    private final RemovedPasskeys passkeys;
    private final boolean revive;
    private final InstantSource clock;
    private final Consumer<String> warnings;
    private long refused;
    private long revived;

    public EndedEntries(
            ErasedUsers users,
            RemovedPasskeys passkeys,
            boolean revive,
            InstantSource clock,
            Consumer<String> warnings) {
        this.users = users;
        this.passkeys = passkeys;
        this.revive = revive;
        this.clock = clock;
        this.warnings = warnings;
    }

    @FunctionalInterface
    private interface Forgetting {
        void forget(Connection connection, String id) throws SQLException;
    }

    @Override
    public Map<String, String> refusedUsers(Connection connection, Collection<String> userIds) throws SQLException {
        return ended(connection, users.find(connection, userIds), "the user was erased here on ", users::forget);
    }

    @Override
    public Map<String, String> refusedPasskeys(Connection connection, Collection<String> credentialIds)
            throws SQLException {
        Map<String, Long> ended = passkeys.find(connection, credentialIds);
        return ended(connection, ended, "the passkey was removed here on ", passkeys::forget);
    }

    /** The reasons by id, or none if what ended is revived. */
    private Map<String, String> ended(Connection connection, Map<String, Long> times, String what, Forgetting marks)
            throws SQLException {
        Map<String, String> reasons = new HashMap<>();
        for (Map.Entry<String, Long> ended : times.entrySet()) {
            if (revive) {
                marks.forget(connection, ended.getKey());
                revived++;
            } else {
                Instant time = Instant.ofEpochMilli(ended.getValue());
                reasons.put(ended.getKey(), what + time.atOffset(ZoneOffset.UTC).toLocalDate() + ", not imported");
            }
        }
        return reasons;
    }

    @Override
    public void refused(String place, String reason) {
        refused++;
        warnings.accept(place + ": " + reason);
    }

    @Override
    public void imported(Connection connection, Collection<String> credentialIds) throws SQLException {
        PasskeySource.addImported(connection, credentialIds);
    }

    @Override
    public void finish(Connection connection) throws SQLException {
        PasskeySource.finishImport(connection, clock.millis());
    }

    /** Whether something was revived. */
    public boolean revived() {
        return revived > 0;
    }

    /** Warns of what was not imported, or revived. */
    public void warn() {
        if (refused > 0) {
            warnings.accept("Not imported, because they ended here: " + refused
                    + ". Use --revive to import passkeys that were removed and users who were erased.");
        }
        if (revived > 0) {
            warnings.accept("Revived: " + revived + " removed passkeys or erased users.");
        }
    }
}
