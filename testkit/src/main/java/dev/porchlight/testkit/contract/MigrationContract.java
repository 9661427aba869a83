// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * Contract tests for a migration script that runs through plain JDBC.
 *
 * <p>Uses only the table {@code passkey_credential} and its five documented columns.
 */
public interface MigrationContract {
    /** Returns a new database without tables. */
    DataSource emptyDatabase() throws Exception;

    /** The script under test. */
    String migration();

    /** Runs the script in one statement; override it for another way. */
    default void migrate(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(migration());
        }
    }

    @Test
    default void a_second_run_keeps_stored_rows() throws Exception {
        DataSource database = emptyDatabase();
        migrate(database);
        insert(database, "id-1", "alice", 7);
        migrate(database);
        assertEquals(7, signCount(database, "id-1"));
    }

    /** On PostgreSQL one of two concurrent CREATE TABLE statements may fail, and the caller retries. */
    @Test
    default void several_instances_can_run_it_at_the_same_time() throws Exception {
        for (int round = 0; round < 5; round++) {
            DataSource database = emptyDatabase();
            try (Race race = new Race(4)) {
                long done = race.run(() -> {
                    try {
                        migrate(database);
                    } catch (SQLException slower) {
                        migrate(database);
                    }
                    return true;
                });
                assertEquals(4, done);
            }
            insert(database, "id-1", "alice", 1);
        }
    }

    @Test
    default void a_row_with_the_five_documented_columns_is_enough() throws Exception {
        DataSource database = emptyDatabase();
        migrate(database);
        insert(database, "id-1", "alice", 0);
        assertEquals(0, signCount(database, "id-1"));
    }

    /** 1023 octets are 1364 characters of base64url. */
    @Test
    default void the_longest_credential_id_is_not_truncated() throws Exception {
        DataSource database = emptyDatabase();
        migrate(database);
        String longest = "A".repeat(1363);
        insert(database, longest + "A", "alice", 1);
        insert(database, longest + "B", "alice", 2);
        assertEquals(1, signCount(database, longest + "A"));
        assertEquals(2, signCount(database, longest + "B"));
    }

    @Test
    default void the_largest_sign_count_is_stored() throws Exception {
        DataSource database = emptyDatabase();
        migrate(database);
        insert(database, "id-1", "alice", 4_294_967_295L);
        assertEquals(4_294_967_295L, signCount(database, "id-1"));
    }

    @Test
    default void a_credential_id_is_unique_across_users() throws Exception {
        DataSource database = emptyDatabase();
        migrate(database);
        insert(database, "id-1", "alice", 5);
        assertThrows(SQLException.class, () -> insert(database, "id-1", "mallory", 99));
        assertThrows(SQLException.class, () -> insert(database, "id-1", "alice", 99));
        assertEquals(5, signCount(database, "id-1"));
    }

    @Test
    default void ids_are_case_sensitive() throws Exception {
        DataSource database = emptyDatabase();
        migrate(database);
        insert(database, "abc", "alice", 1);
        insert(database, "ABC", "bob", 2);
        assertEquals(1, signCount(database, "abc"));
        assertEquals(2, signCount(database, "ABC"));
    }

    private static void insert(DataSource database, String id, String user, long signCount) throws SQLException {
        String sql = "INSERT INTO passkey_credential (credential_id, user_id, public_key, sign_count, origin)"
                + " VALUES (?, ?, ?, ?, ?)";
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, id);
            statement.setString(2, user);
            statement.setString(3, "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"\",\"y\":\"\"}");
            statement.setLong(4, signCount);
            statement.setString(5, "https://example.com");
            statement.executeUpdate();
        }
    }

    private static long signCount(DataSource database, String id) throws SQLException {
        String sql = "SELECT sign_count FROM passkey_credential WHERE credential_id = ?";
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, id);
            try (ResultSet rows = statement.executeQuery()) {
                assertTrue(rows.next(), "no row with id " + id);
                return rows.getLong(1);
            }
        }
    }
}
