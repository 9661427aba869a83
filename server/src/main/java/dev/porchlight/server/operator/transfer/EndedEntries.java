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
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an import from reviving passkeys that were removed and users who were erased, unless {@code revive} is set. What is
 * revived brings no access with it: tokens stay invalid, and a user who was locked is. A spelling that no user had gets the access
 * of the name's users. Profiles and groups come only with users who were never here. Takes the names of new users, and records what is imported, so that users are notified of it. Not
 * thread-safe.
 */
public final class EndedEntries implements ImportScreening {
    private final TakenNames names;
    private final ErasedUsers users;
    private final RemovedPasskeys passkeys;
    private final Mode mode;
    private final InstantSource clock;
    private final Consumer<String> warnings;
    /** The access of users who were erased and are revived, by user id. */
    private final Map<String, UserAccess> access = new HashMap<>();
    /** The access of all erased users of a name, by the hash that its spellings share. */
    private final Map<String, UserAccess> ofNames = new HashMap<>();

    private final PeopleImport people;
    /** Users who were never here, whose name was free too. */
    private final Set<String> newcomers = new HashSet<>();

    private final Set<String> revivedUsers = new HashSet<>();

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
        this.people = new PeopleImport(clock);
    }

    /** What is imported about people besides passkeys. */
    PeopleImport people() {
        return people;
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
                begin(connection, userId);
            }
        }
        return refused;
    }

    private void reviveUser(Connection connection, String userId) throws SQLException {
        revivedUsers.add(userId);
        UserAccess ofName = users.forget(connection, userId);
        if (ofName != null) {
            ofNames.put(users.hash(userId), ofName);
        }
        UserAccess own = users.forgetSpelling(connection, userId);
        if (own != null) {
            access.put(userId, own);
        }
    }

    /** Takes the name of a new user, so that no stranger can sign up with it, and restores the access. */
    private void begin(Connection connection, String userId) throws SQLException {
        boolean taken = names.take(connection, userId);
        UserAccess holder = taken ? null : ofHolder(connection, userId);
        UserAccess ofName = ofNames.isEmpty() ? holder : ofNames.getOrDefault(users.hash(userId), holder);
        UserAccess before = access.getOrDefault(userId, ofName);
        if (before != null) {
            UserAccess.restore(connection, userId, before, clock.millis());
        } else if (taken && mode != Mode.REVIVE_UNRECOGNIZED && !revivedUsers.contains(userId)) {
            newcomers.add(userId);
        }
    }

    @Override
    public void importedUsers(Connection connection, Collection<String> newUserIds) throws SQLException {
        newcomers.retainAll(newUserIds);
        people.store(connection, newcomers);
        newcomers.clear();
    }

    /** The access of the user who holds the name in another spelling, or null. */
    private static @Nullable UserAccess ofHolder(Connection connection, String userId) throws SQLException {
        String holder = TakenNames.holder(connection, userId);
        return holder == null || holder.equals(userId) ? null : UserAccess.read(connection, holder);
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
            warnings.accept("Revived, although they ended here: " + revived + '.');
        }
    }
}
