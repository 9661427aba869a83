// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.passkey.store.ImportScreening;
import dev.porchlight.server.storage.ErasedUsers;
import dev.porchlight.server.storage.PasskeyAccess;
import dev.porchlight.server.storage.PasskeySource;
import dev.porchlight.server.storage.RemovedPasskeys;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.UserAccess;
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
 * Keeps an import from reviving passkeys that were removed and users who were erased, unless {@code revive} is set. What is
 * revived brings no access with it: tokens stay invalid, and a user who was locked is. Takes the names of new users, and records
 * what is imported, so that users are notified of it. Not thread-safe.
 */
public final class EndedEntries implements ImportScreening {
    private final TakenNames names;
    private final ErasedUsers users;
    private final RemovedPasskeys passkeys;
    private final Mode mode;
    private final InstantSource clock;
    private final Consumer<String> warnings;
    /** The access of users who were erased and are revived, by the hash that all spellings of a name share. */
    private final Map<String, UserAccess> access = new HashMap<>();

    private long refused;
    private long revived;

    /** How entries that ended here are handled. */
    public enum Mode {
        REFUSE,
        REVIVE,
        /** They are imported because they are not recognized: the secret of their hashes is lost. */
        REVIVE_UNRECOGNIZED
    }

    public EndedEntries(
            TakenNames names,
            ErasedUsers users,
            RemovedPasskeys passkeys,
            Mode mode,
            InstantSource clock,
            Consumer<String> warnings) {
        this.names = names;
        this.users = users;
        this.passkeys = passkeys;
        this.mode = mode;
        this.clock = clock;
        this.warnings = warnings;
    }

    @FunctionalInterface
    private interface Revival {
        void revive(Connection connection, String id) throws SQLException;
    }

    @Override
    public Map<String, String> refusedUsers(Connection connection, Collection<String> userIds) throws SQLException {
        Map<String, Long> ended = users.find(connection, userIds);
        Map<String, String> refused = ended(connection, ended, "the user was erased here on ", this::reviveUser);
        for (String userId : userIds) {
            if (!refused.containsKey(userId)) {
                names.take(connection, userId); // no stranger can sign up under the name
            }
            UserAccess erased = access.isEmpty() ? null : access.get(users.hash(userId));
            if (erased != null) {
                UserAccess.restore(connection, userId, erased, clock.millis());
            }
        }
        return refused;
    }

    private void reviveUser(Connection connection, String userId) throws SQLException {
        access.putIfAbsent(users.hash(userId), users.forget(connection, userId));
    }

    @Override
    public Map<String, String> refusedPasskeys(Connection connection, Collection<String> credentialIds)
            throws SQLException {
        Map<String, Long> ended = passkeys.find(connection, credentialIds);
        return ended(connection, ended, "the passkey was removed here on ", this::revivePasskey);
    }

    private void revivePasskey(Connection connection, String credentialId) throws SQLException {
        passkeys.forget(connection, credentialId);
        endAccess(connection, credentialId);
    }

    /** Ends the tokens of a passkey, which would be valid again with it. */
    private static void endAccess(Connection connection, String credentialId) throws SQLException {
        PasskeyAccess passkey = PasskeyAccess.read(connection, credentialId);
        if (passkey != null) {
            UserAccess.end(connection, passkey.userId());
        }
    }

    /** The reasons by id, or none if what ended is revived. */
    private Map<String, String> ended(Connection connection, Map<String, Long> times, String what, Revival revival)
            throws SQLException {
        Map<String, String> reasons = new HashMap<>();
        for (Map.Entry<String, Long> ended : times.entrySet()) {
            if (mode != Mode.REFUSE) {
                revival.revive(connection, ended.getKey());
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
        if (mode == Mode.REVIVE_UNRECOGNIZED) {
            for (String credentialId : credentialIds) {
                endAccess(connection, credentialId);
            }
        }
    }

    @Override
    public void finish(Connection connection) throws SQLException {
        PasskeySource.finishImport(connection, clock.millis());
    }

    /** Whether something was revived, or may have been. */
    public boolean revived() {
        return revived > 0 || mode == Mode.REVIVE_UNRECOGNIZED;
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
