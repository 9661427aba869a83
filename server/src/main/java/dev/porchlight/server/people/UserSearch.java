// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.people;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.storage.UserDirectory;
import dev.porchlight.server.storage.UserNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds users by the beginning of their id, name, family name or email, in that order, in any case. Each search reads ranges of
 * indexes, a page at a time, however many users match.
 */
public final class UserSearch {
    /** Greater than all characters of a key: user ids and names do not contain unassigned ones. */
    private static final String LAST = Character.toString(Character.MAX_CODE_POINT);

    private UserSearch() {}

    /** A user in a list, with the profile. */
    public record Found(UserDirectory.Entry user, Profile profile) {
        public String userId() {
            return user.userId();
        }

        public void write(JsonWriter json) {
            user.write(json);
            json.optionalText("name", profile.name()).optionalText("email", profile.email());
        }
    }

    /**
     * A page of users. If none match, those whose id contains the query, ordered by id.
     *
     * @param query null or blank for all users, ordered by id
     * @param after the user id before the page; null for the first page
     */
    public static List<Found> page(Sql sql, @Nullable String query, @Nullable String after, int limit) {
        List<UserDirectory.Entry> users = users(sql, query, after, limit);
        Map<String, Profile> profiles =
                Profiles.of(sql, users.stream().map(UserDirectory.Entry::userId).toList());
        return users.stream()
                .map(user -> new Found(user, profiles.getOrDefault(user.userId(), Profile.EMPTY)))
                .toList();
    }

    private static List<UserDirectory.Entry> users(Sql sql, @Nullable String query, @Nullable String after, int limit) {
        String prefix = query == null ? "" : UserNames.fold(query.strip());
        Keys last = after == null ? Keys.BEFORE_ALL : keys(sql, after);
        int source = after == null ? 0 : last.source(prefix);
        if (prefix.isEmpty() || source < 0) {
            return UserDirectory.list(sql, prefix.isEmpty() ? null : query, after, limit);
        }
        Set<String> found = new LinkedHashSet<>();
        Keys position = last;
        while (source < Keys.SOURCES && found.size() < limit) {
            List<Keys> page = read(sql, source, prefix, position, limit);
            for (Keys keys : page) {
                if (keys.source(prefix) == source && found.size() < limit) { // the others were in an earlier source
                    found.add(keys.userId());
                }
            }
            boolean more = page.size() == limit;
            position = more ? page.get(limit - 1) : Keys.BEFORE_ALL;
            source += more ? 0 : 1;
        }
        return found.isEmpty() && after == null
                ? UserDirectory.list(sql, query, null, limit)
                : UserDirectory.of(sql, List.copyOf(found));
    }

    /** What a user is found by: the id and the keys of the profile, each null if absent. */
    private record Keys(String userId, List<@Nullable String> keys) {
        private static final int SOURCES = 1 + Profiles.KEYS.size();
        private static final Keys BEFORE_ALL = new Keys("", List.of("", "", "", ""));

        /** The first source that finds the user, or -1. */
        private int source(String prefix) {
            for (int i = 0; i < SOURCES; i++) {
                String key = keys.get(i);
                if (key != null && key.startsWith(prefix)) {
                    return i;
                }
            }
            return -1;
        }

        private String key(int source) {
            String key = keys.get(source);
            return key == null ? "" : key;
        }
    }

    private static Keys keys(String userId, List<@Nullable String> profile) {
        List<@Nullable String> keys = new ArrayList<>();
        keys.add(UserNames.fold(userId));
        keys.addAll(profile);
        return new Keys(userId, keys);
    }

    private static Keys keys(Sql sql, String userId) {
        List<Keys> found = Profiles.keys(sql, " WHERE user_id = ?", UserSearch::keys, userId);
        return found.isEmpty() ? keys(userId, Arrays.asList(null, null, null)) : found.get(0);
    }

    /** The users after a position in one source, ordered by its key and the user id. */
    private static List<Keys> read(Sql sql, int source, String prefix, Keys after, int limit) {
        String end = prefix + LAST;
        if (source == 0) {
            return TakenNames.between(sql, prefix, end, after.key(0), limit).stream()
                    .map(userId -> keys(userId, Arrays.asList(null, null, null)))
                    .toList();
        }
        String key = Profiles.KEYS.get(source - 1);
        // One lower bound: with a second one, PostgreSQL may begin to read at the lower of the two.
        String range =
                " WHERE (" + key + ", user_id) > (?, ?) AND " + key + " < ? ORDER BY " + key + ", user_id LIMIT ?";
        String from = after.userId().isEmpty() ? prefix : after.key(source);
        return Profiles.keys(sql, range, UserSearch::keys, from, after.userId(), end, limit);
    }
}
