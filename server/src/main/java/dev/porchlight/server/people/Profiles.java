// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.people;

import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.storage.Actor;
import dev.porchlight.server.storage.Actor.Target;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.storage.UserGroups;
import dev.porchlight.server.storage.UserNames;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The profiles of users, in the table {@code porchlight_profile}. Each change is one commit with its audit row. Thread-safe. */
public final class Profiles {
    private static final String COLUMNS =
            "user_id, name, given_name, family_name, email, email_verified, locale, picture, claims, updated_at";
    private static final String FIND = "SELECT " + COLUMNS + " FROM porchlight_profile WHERE user_id = ?";
    private static final String FIND_WITH_GROUPS = "SELECT " + COLUMNS + ", group_names FROM (SELECT "
            + UserGroups.NAMES_OF_USER + " AS group_names) AS member LEFT JOIN porchlight_profile ON user_id = ?";
    private static final String OF_USERS = "SELECT " + COLUMNS + " FROM porchlight_profile WHERE user_id IN (%s)";
    private static final String SAVE = "INSERT INTO porchlight_profile (" + COLUMNS
            + ", name_key, family_key, email_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            + " ON CONFLICT (user_id) DO UPDATE SET name = excluded.name, given_name = excluded.given_name,"
            + " family_name = excluded.family_name, email = excluded.email, email_verified = excluded.email_verified,"
            + " locale = excluded.locale, picture = excluded.picture, claims = excluded.claims,"
            + " updated_at = excluded.updated_at, name_key = excluded.name_key, family_key = excluded.family_key,"
            + " email_key = excluded.email_key";
    private static final String VERIFY =
            "UPDATE porchlight_profile SET email_verified = 1 WHERE user_id = ? AND email = ?";
    private static final String REMOVE = "DELETE FROM porchlight_profile WHERE user_id = ?";

    /** The columns that a search reads, in the order of its results. */
    static final List<String> KEYS = List.of("name_key", "family_key", "email_key");

    private static final String KEYS_OF = "SELECT user_id, " + String.join(", ", KEYS) + " FROM porchlight_profile";

    private final Units units;
    private final AddressChange addressChange;
    private final InstantSource clock;

    public Profiles(Units units, AddressChange addressChange, InstantSource clock) {
        this.units = units;
        this.addressChange = addressChange;
        this.clock = clock;
    }

    /** What follows the change of an address, within its transaction. Implementations are thread-safe. */
    @FunctionalInterface
    public interface AddressChange {
        /** Called after the change by the user or an operator. */
        void run(Connection connection, String userId, Profile before, boolean byUser) throws SQLException;
    }

    /** The profile of a user; {@link Profile#EMPTY} if there is none. */
    public static Profile find(Sql sql, String userId) {
        return orEmpty(sql.query(FIND, Profiles::read, userId));
    }

    /** The same as a transaction sees it. */
    public static Profile find(Connection connection, String userId) throws SQLException {
        return orEmpty(Sql.query(connection, FIND, Profiles::read, userId));
    }

    /** A profile, {@link Profile#EMPTY} if there is none, and the groups of its user by name. */
    public record WithGroups(Profile profile, List<String> groups) {}

    /** The profile and the groups of a user. */
    public static WithGroups withGroups(Sql sql, String userId) {
        return sql.query(FIND_WITH_GROUPS, Profiles::readWithGroups, userId, userId)
                .get(0);
    }

    /** The profiles of those of these users who have one. */
    public static Map<String, Profile> of(Sql sql, List<String> userIds) {
        return userIds.isEmpty() ? Map.of() : byId(sql.query(ofUsers(userIds), Profiles::entry, userIds.toArray()));
    }

    /** The same as a transaction sees them. */
    public static Map<String, Profile> of(Connection connection, List<String> userIds) throws SQLException {
        return userIds.isEmpty()
                ? Map.of()
                : byId(Sql.query(connection, ofUsers(userIds), Profiles::entry, userIds.toArray()));
    }

    private static String ofUsers(List<String> userIds) {
        return OF_USERS.formatted(String.join(", ", Collections.nCopies(userIds.size(), "?")));
    }

    private static Map.Entry<String, Profile> entry(ResultSet row) throws SQLException {
        return Map.entry(row.getString(1), read(row));
    }

    private static Map<String, Profile> byId(List<Map.Entry<String, Profile>> found) {
        return found.stream().collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The claims of a user, and those of their groups that the user does not have, of the first group by name. */
    public static Claims claims(Sql sql, String userId, Profile profile) {
        Claims all = profile.claims();
        for (String ofGroup : UserGroups.claimsOf(sql, userId)) {
            all = all.over(Claims.parse(ofGroup));
        }
        return all;
    }

    /** Reads the keys of users with a profile, by the condition of a search. */
    static <T> List<T> keys(
            Sql sql, String condition, BiFunction<String, List<@Nullable String>, T> reader, Object... arguments) {
        return sql.query(
                KEYS_OF + condition,
                row -> reader.apply(
                        row.getString(1), Arrays.asList(row.getString(2), row.getString(3), row.getString(4))),
                arguments);
    }

    /** A check within the transaction of a change: whether the user may make it now. */
    @FunctionalInterface
    public interface Guard {
        boolean allows(Connection connection) throws SQLException;
    }

    /**
     * Changes the profile of a user who is registered or invited.
     *
     * @param guard is asked first
     * @return the members that changed; empty if the guard refused, or the user is unknown
     * @throws MalformedException if the claims are too large together; nothing is written then
     */
    public Optional<List<ProfileMember>> changeOwn(String userId, ProfileChange change, Guard guard, Actor user)
            throws MalformedException {
        return commit(
                userId,
                user,
                Target.NONE,
                connection -> guard.allows(connection) ? change(connection, userId, change, true) : Written.NOTHING);
    }

    /** The same for an operator. */
    public Optional<List<ProfileMember>> change(String userId, ProfileChange change, Actor by)
            throws MalformedException {
        return commit(userId, by, Target.user(userId), connection -> change(connection, userId, change, false));
    }

    private Optional<List<ProfileMember>> commit(String userId, Actor by, Target target, Sql.Work<Written> work)
            throws MalformedException {
        Written written = units.commit("change a profile", by, target, work, done -> done.event(userId));
        if (written.fault() != null) {
            throw written.fault();
        }
        return Optional.ofNullable(written.changed());
    }

    private Written change(Connection connection, String userId, ProfileChange change, boolean byUser)
            throws SQLException {
        if (!TakenNames.holds(connection, userId)) {
            return Written.NOTHING;
        }
        Profile before = find(connection, userId);
        Written written = write(connection, userId, before, change, clock.millis());
        if (written.changed() != null && written.changed().contains(ProfileMember.EMAIL)) {
            addressChange.run(connection, userId, before, byUser);
        }
        return written;
    }

    /** The members that a change wrote, or null; and why it wrote none, or null. */
    private record Written(
            @Nullable List<ProfileMember> changed, @Nullable MalformedException fault) {
        private static final Written NOTHING = new Written(null, null);

        private @Nullable AuditEvent event(String userId) {
            return changed == null || changed.isEmpty()
                    ? null
                    : AuditEvent.of(AuditAction.PROFILE_CHANGED, userId)
                            .withChanges(
                                    changed.stream().map(ProfileMember::code).toList());
        }
    }

    private static Written write(Connection connection, String userId, Profile before, ProfileChange change, long now)
            throws SQLException {
        Profile after;
        try {
            after = change.applied(before);
        } catch (MalformedException e) {
            return new Written(null, e);
        }
        List<ProfileMember> changed = Arrays.stream(ProfileMember.values())
                .filter(member -> !Objects.equals(before.get(member), after.get(member)))
                .toList();
        if (!changed.isEmpty()) {
            save(connection, userId, after.at(now));
        }
        return new Written(changed, null);
    }

    /** Replaces a profile, within a transaction of the caller that holds the name of the user. */
    public static void save(Connection connection, String userId, Profile profile) throws SQLException {
        if (profile.isEmpty()) {
            remove(connection, userId);
            return;
        }
        List<@Nullable Object> values = new ArrayList<>(Arrays.asList(
                userId,
                profile.name(),
                profile.givenName(),
                profile.familyName(),
                profile.email(),
                profile.emailVerified() ? 1 : 0,
                profile.locale(),
                profile.picture(),
                profile.claims().isEmpty() ? null : profile.claims().json(),
                profile.updatedAt(),
                key(fullName(profile)),
                key(profile.familyName()),
                key(profile.email())));
        Sql.update(connection, SAVE, values.toArray());
    }

    /** Verifies the address of a user unless it has changed, within a transaction of the caller; false if it has. */
    public static boolean verifyEmail(Connection connection, String userId, String email) throws SQLException {
        return Sql.update(connection, VERIFY, userId, email) == 1;
    }

    /** Removes what is known about a user, within the transaction of the erasure. */
    public static void remove(Connection connection, String userId) throws SQLException {
        Sql.update(connection, REMOVE, userId);
    }

    /** The name, or else what it would begin with. */
    private static @Nullable String fullName(Profile profile) {
        if (profile.name() != null || profile.givenName() == null) {
            return profile.name();
        }
        return profile.familyName() == null ? profile.givenName() : profile.givenName() + ' ' + profile.familyName();
    }

    private static @Nullable String key(@Nullable String text) {
        return text == null ? null : UserNames.fold(text);
    }

    private static Profile orEmpty(List<Profile> found) {
        return found.isEmpty() ? Profile.EMPTY : found.get(0);
    }

    private static WithGroups readWithGroups(ResultSet row) throws SQLException {
        Profile profile = row.getString(1) == null ? Profile.EMPTY : read(row);
        return new WithGroups(profile, UserGroups.names(row.getString(11)));
    }

    private static Profile read(ResultSet row) throws SQLException {
        return new Profile(
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getInt(6) == 1,
                row.getString(7),
                row.getString(8),
                Claims.parse(row.getString(9)),
                row.getLong(10));
    }
}
