// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;

/**
 * Refuses what a {@link PasskeyImport} must not bring back, such as passkeys that were removed. It is called within the
 * transaction, for rows that were missing before and are written by now: a removal of one of them is visible, or waits for
 * the import.
 */
public interface ImportScreening {
    /** A screening that refuses nothing. */
    ImportScreening NONE = new ImportScreening() {};

    /** Returns the reasons to refuse some of these users, by user id. */
    default Map<String, String> refusedUsers(Connection connection, Collection<String> userIds) throws SQLException {
        return Map.of();
    }

    /** Returns the reasons to refuse some of these passkeys, by credential id. */
    default Map<String, String> refusedPasskeys(Connection connection, Collection<String> credentialIds)
            throws SQLException {
        return Map.of();
    }

    /** Receives the place of each entry that was refused, and the reason. */
    default void refused(String place, String reason) {}

    /** Receives the new ones of some users that were read from the source and are written by now. */
    default void importedUsers(Connection connection, Collection<String> newUserIds) throws SQLException {}

    /** Receives the credential ids of new passkeys. */
    default void imported(Connection connection, Collection<String> credentialIds) throws SQLException {}

    /** Called before the import is committed. */
    default void finish(Connection connection) throws SQLException {}
}
