// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.crypto.KeyedHash;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Recovery codes of users, in the table {@code porchlight_recovery_code}. A code has 125 random bits and is found by its keyed
 * hash together with the user id, so a reader of the table cannot use it and a row cannot be moved to another user. Thread-safe.
 */
public final class RecoveryCodes {
    private static final int SET = 10;
    static final int CHARS = 25;
    private static final int GROUP = 5;
    /** Without letters that look like digits, and U. */
    private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    private static final String FIND = "SELECT started_at, used_at FROM porchlight_recovery_code WHERE code_hash = ?";
    private static final String STATE = "SELECT COUNT(CASE WHEN used_at IS NULL THEN 1 END), MAX(created_at),"
            + " MIN(CASE WHEN used_at IS NULL AND started_at > ? THEN started_at END)"
            + " FROM porchlight_recovery_code WHERE user_id = ?";
    private static final String ADD =
            "INSERT INTO porchlight_recovery_code (code_hash, user_id, created_at) VALUES (?, ?, ?)";
    private static final String START = "UPDATE porchlight_recovery_code SET started_at = ? WHERE code_hash = ?";
    private static final String USE =
            "UPDATE porchlight_recovery_code SET used_at = ? WHERE code_hash = ? AND used_at IS NULL";
    private static final String RESTART = "UPDATE porchlight_recovery_code SET started_at = NULL WHERE user_id = ?";
    private static final String REMOVE = "DELETE FROM porchlight_recovery_code WHERE user_id = ?";

    private final KeyedHash hashing;
    private final SecureRandom random;

    public RecoveryCodes(byte[] key, SecureRandom random) {
        this.hashing = new KeyedHash(key);
        this.random = random;
    }

    /** A stored code: when its recovery started, and when it was used. */
    record Entry(@Nullable Long startedAt, @Nullable Long usedAt) {}

    /**
     * The codes of a user. Times are in milliseconds since 1970.
     *
     * @param remaining the codes that were not used
     * @param createdAt null without codes
     * @param startedAt when the first recovery started that waits; or null
     */
    public record State(
            int remaining,
            @Nullable Long createdAt,
            @Nullable Long startedAt) {}

    /** Replaces the codes of a user, within a transaction of the caller, and returns the new ones. */
    List<String> replace(Connection connection, String userId, long now) throws SQLException {
        remove(connection, userId);
        List<String> codes = Stream.generate(this::newCode).limit(SET).toList();
        for (String code : codes) {
            Sql.update(connection, ADD, hash(userId, code), userId, now);
        }
        return codes;
    }

    private String newCode() {
        StringBuilder code = new StringBuilder();
        for (int i = 0; i < CHARS; i++) {
            code.append(i > 0 && i % GROUP == 0 ? "-" : "").append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return code.toString();
    }

    /** The hash that finds a code, as it was typed. */
    String hash(String userId, String typed) {
        String code = plain(typed).replace('O', '0').replace('I', '1').replace('L', '1');
        return hashing.base64Of(userId + '\0' + code);
    }

    private static String plain(String typed) {
        return typed.toUpperCase(Locale.ROOT).replaceAll("[^0-9A-Z]", "");
    }

    /** The number of characters of a code, as it was typed, without hyphens and blanks. */
    static int length(String typed) {
        return plain(typed).length();
    }

    static @Nullable Entry find(Sql sql, String hash) {
        return Sql.first(sql.query(FIND, RecoveryCodes::read, hash));
    }

    static @Nullable Entry find(Connection connection, String hash) throws SQLException {
        return Sql.first(Sql.query(connection, FIND, RecoveryCodes::read, hash));
    }

    /** The codes of a user; recoveries that started earlier than {@code since} no longer wait. */
    public static State of(Sql sql, String userId, long since) {
        return sql.query(STATE, RecoveryCodes::readState, since, userId).get(0);
    }

    static State of(Connection connection, String userId, long since) throws SQLException {
        return Sql.query(connection, STATE, RecoveryCodes::readState, since, userId)
                .get(0);
    }

    static void start(Connection connection, String hash, long now) throws SQLException {
        Sql.update(connection, START, now, hash);
    }

    /** Uses up a code: of several callers on any instances, one succeeds. */
    static boolean use(Connection connection, String hash, long now) throws SQLException {
        return Sql.update(connection, USE, now, hash) == 1;
    }

    /** Makes recoveries that have started wait again from their next attempt. */
    static void restart(Connection connection, String userId) throws SQLException {
        Sql.update(connection, RESTART, userId);
    }

    /** Removes the codes of a user, and returns whether there were any. */
    static boolean remove(Connection connection, String userId) throws SQLException {
        return Sql.update(connection, REMOVE, userId) > 0;
    }

    private static Entry read(ResultSet row) throws SQLException {
        return new Entry(Sql.optionalLong(row, 1), Sql.optionalLong(row, 2));
    }

    private static State readState(ResultSet row) throws SQLException {
        return new State(row.getInt(1), Sql.optionalLong(row, 2), Sql.optionalLong(row, 3));
    }
}
