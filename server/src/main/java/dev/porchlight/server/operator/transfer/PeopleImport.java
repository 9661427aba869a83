// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.server.people.Claims;
import dev.porchlight.server.people.Profile;
import dev.porchlight.server.people.Profiles;
import dev.porchlight.server.storage.UserGroups;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The profiles and groups of an export, which only users get who are new here: what was removed from others stays removed. Groups
 * that exist keep their claims. Not thread-safe.
 */
final class PeopleImport {
    private final InstantSource clock;
    private final Map<String, Person> people = new HashMap<>();
    private final Map<String, Claims> groups = new HashMap<>();

    PeopleImport(InstantSource clock) {
        this.clock = clock;
    }

    private record Person(Profile profile, List<String> groups) {}

    /** Receives what belongs to a user, before the user. */
    void add(String userId, Profile profile, List<String> memberOf) {
        people.putIfAbsent(userId, new Person(profile, memberOf));
    }

    void add(String group, Claims claims) {
        groups.putIfAbsent(group, claims);
    }

    /** Stores what belongs to new users, of all that were received so far, within the transaction of the import. */
    void store(Connection connection, Iterable<String> newUserIds) throws SQLException {
        for (Map.Entry<String, Claims> group : groups.entrySet()) {
            if (UserGroups.create(connection, group.getKey())
                    && !group.getValue().isEmpty()) {
                UserGroups.setClaims(
                        connection, group.getKey(), group.getValue().json());
            }
        }
        for (String userId : newUserIds) {
            Person person = people.get(userId);
            if (person != null) {
                Profiles.save(connection, userId, person.profile().at(clock.millis()));
                for (String group : person.groups()) {
                    UserGroups.add(connection, group, userId);
                }
            }
        }
        groups.clear();
        people.clear();
    }
}
