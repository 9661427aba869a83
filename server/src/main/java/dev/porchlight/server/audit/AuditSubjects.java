// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.crypto.KeyedHash;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The pseudonyms of users in audit rows, and the table {@code porchlight_audit_subject} that maps them to user ids. Erasing a
 * user deletes that row; audit rows never change. Thread-safe.
 *
 * <p>The pseudonym is a keyed hash of the user id, so writing an audit row reads nothing.
 */
public final class AuditSubjects {
    /** Marks a pseudonym where a user id is shown or searched. It is reserved, so no user id begins with it. */
    public static final String PREFIX = "porchlight:pseudonym:";

    /** Begins the label of a person who acted as an operator; their pseudonym follows, or their user id where it is shown. */
    public static final String LABEL = "user:";

    private static final int CHARS = 22;

    private static final String ADD = "INSERT INTO porchlight_audit_subject (subject, user_id) VALUES (?, ?)"
            + " ON CONFLICT (subject) DO NOTHING";
    private static final String PRESENT = "SELECT subject FROM porchlight_audit_subject WHERE subject IN (";
    private static final String FIND = "SELECT subject FROM porchlight_audit_subject WHERE user_id = ?";
    private static final String USER = "SELECT user_id FROM porchlight_audit_subject WHERE subject = ?";
    private static final String REMOVE = "DELETE FROM porchlight_audit_subject WHERE user_id = ?";

    private final KeyedHash hashing;

    /** The pseudonyms under the key of the audit chain, which does not change when the secret is rotated. */
    public AuditSubjects(byte[] key) {
        this.hashing = new KeyedHash(key);
    }

    /** The pseudonym of a user; empty if the user is unknown. */
    public String of(String userId) {
        return userId.isEmpty()
                ? ""
                : AuditRow.digest(hashing, "subject", userId).substring(0, CHARS);
    }

    public void add(Connection connection, String userId) throws SQLException {
        Sql.update(connection, ADD, of(userId), userId);
    }

    public static void remove(Connection connection, String userId) throws SQLException {
        Sql.update(connection, REMOVE, userId);
    }

    /** Those of these users whose pseudonym under the present key has no row. */
    public List<String> missing(Sql sql, List<String> userIds) {
        Object[] subjects = userIds.stream().map(this::of).toArray();
        String marks = Sql.marks(subjects.length);
        Set<String> present = new HashSet<>(sql.query(PRESENT + marks + ")", row -> row.getString(1), subjects));
        return userIds.stream().filter(userId -> !present.contains(of(userId))).toList();
    }

    /**
     * The pseudonyms for a search by user id, or by a pseudonym as it is shown. A user has one for each key that the audit chain
     * has had.
     */
    static List<String> find(Sql sql, String userId) {
        return userId.startsWith(PREFIX)
                ? List.of(userId.substring(PREFIX.length()))
                : sql.query(FIND, row -> row.getString(1), userId);
    }

    /** The user whose pseudonym is shown, if they are known and not erased; otherwise the same text. */
    public static String named(Sql sql, String shown) {
        String subject = shown.startsWith(PREFIX) ? shown.substring(PREFIX.length()) : "";
        List<String> users = subject.isEmpty() ? List.of() : sql.query(USER, row -> row.getString(1), subject);
        return users.isEmpty() ? shown : users.get(0);
    }

    /** A column of another statement: the user id of the pseudonym in a column, or null. */
    static String userOf(String column) {
        return "(SELECT user_id FROM porchlight_audit_subject AS s WHERE s.subject = " + column + ")";
    }

    /** The same for the label of an operator in a column, which has a user id only if it is a person's. */
    public static String userOfLabel(String column) {
        return userOf("SUBSTR(" + column + ", " + (LABEL.length() + 1) + ')');
    }

    static String shown(String subject, @Nullable String userId) {
        return userId != null ? userId : subject.isEmpty() ? "" : PREFIX + subject;
    }

    /** The label of an operator as it is shown: a person's with their user id, unless they are erased. */
    public static String shownLabel(String label, @Nullable String userId) {
        return label.startsWith(LABEL) ? LABEL + shown(label.substring(LABEL.length()), userId) : label;
    }

    /** The same for a label that was read elsewhere. */
    public static String shownLabel(Sql sql, String label) {
        return label.startsWith(LABEL)
                ? shownLabel(
                        label, Sql.first(sql.query(USER, row -> row.getString(1), label.substring(LABEL.length()))))
                : label;
    }

    /** The labels that rows may have for a label as it is shown. */
    static List<String> findLabels(Sql sql, String shown) {
        return shown.startsWith(LABEL)
                ? find(sql, shown.substring(LABEL.length())).stream()
                        .map(LABEL::concat)
                        .toList()
                : List.of(shown);
    }
}
