// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.store.SqlUsers;
import dev.porchlight.server.audit.AuditSubjects;
import dev.porchlight.server.crypto.KeyedHash;
import dev.porchlight.server.storage.Actor;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The person or program that sent a request to a route for operators, or runs a command.
 *
 * @param label names the person or the token in audit rows; a person by their pseudonym, so that the log survives an erasure
 * @param session the session of a person; null for a program
 * @param token the named token of a program; null for others
 * @param correlationId of the request
 */
public record Operator(
        String label, Role role, @Nullable Session session, ApiTokens.@Nullable Entry token, String correlationId)
        implements Actor {
    /** Operators on this machine, in localhost mode without an owner. */
    public static final Operator LOCAL = new Operator("local", Role.OWNER, null, null, "");

    /** The correlation id of audit rows that no request caused. */
    private static final String COMMAND_LINE = "command-line";

    private static final int FINGERPRINT_BYTES = 4;
    private static final int MAX_NAME = 32;

    /** A signed-in person. */
    public static Operator of(Session session, Role role, AuditSubjects subjects) {
        return new Operator(AuditSubjects.LABEL + subjects.of(session.userId()), role, session, null, "");
    }

    /** A program with a named token. */
    public static Operator of(ApiTokens.Entry token) {
        return new Operator("token:" + token.name(), token.role(), null, token, "");
    }

    /**
     * The caller with {@code ADMIN_TOKEN}, labeled with a fingerprint of it. The fingerprint is keyed, so that the audit log
     * cannot be used to guess the token.
     */
    public static Operator ofAdminToken(String token, byte[] key) {
        byte[] fingerprint = new KeyedHash(key).of(token.getBytes(StandardCharsets.UTF_8));
        String label = "admin-token:" + HexFormat.of().formatHex(fingerprint, 0, FINGERPRINT_BYTES);
        return new Operator(label, Role.OWNER, null, null, "");
    }

    /** Who runs a command: {@code cli:} and the name of the system user. */
    public static Operator commandLine() {
        String name = System.getProperty("user.name", "").replaceAll("[^A-Za-z0-9._-]", "");
        String label = "cli:" + name.substring(0, Math.min(name.length(), MAX_NAME));
        return new Operator(label, Role.OWNER, null, null, COMMAND_LINE);
    }

    /** The same operator, in this request. */
    public Operator in(String request) {
        return new Operator(label, role, session, token, request);
    }

    /** The user id of a person, or null. */
    public @Nullable String userId() {
        return session == null ? null : session.userId();
    }

    public boolean may(Permission permission) {
        return role.may(permission);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Whatever ends the access of a person locks their user or deletes their session. Users are locked in the order of their
     * ids and before anything else, so that two operators who change each other wait for each other, and do not deadlock.
     */
    @Override
    public @Nullable Denial check(Connection connection, Target target) throws SQLException {
        String other = target.userId();
        for (String userId : inOrder(userId(), other)) {
            // The row of a user who was unknown is not kept. Another transaction that would write it waits anyway.
            if (!SqlUsers.lock(connection, userId)) {
                SqlUsers.forget(connection, userId);
            }
        }
        for (String name : inOrder(token == null ? null : token.name(), target.token())) {
            ApiTokens.lock(connection, name);
        }
        if (session != null && other != null) { // the session is locked next
            SqlUsers.lockPasskeys(connection, other);
        }
        Denial ended = session == null ? programEnded(connection) : personEnded(connection, session);
        boolean isProtected = other != null && role != Role.OWNER && OperatorRoles.of(connection, other) != null;
        return ended == null && isProtected ? Denial.PROTECTED_USER : ended;
    }

    private static SortedSet<String> inOrder(@Nullable String one, @Nullable String other) {
        SortedSet<String> known = new TreeSet<>();
        for (String each : Arrays.asList(one, other)) {
            if (each != null) {
                known.add(each);
            }
        }
        return known;
    }

    private @Nullable Denial personEnded(Connection connection, Session person) throws SQLException {
        if (!person.isValid(connection)) {
            return Denial.SIGNED_OUT;
        }
        Role now = OperatorRoles.of(connection, person.userId());
        return now == null ? Denial.NO_ROLE : now == role ? null : Denial.ROLE_CHANGED;
    }

    private @Nullable Denial programEnded(Connection connection) throws SQLException {
        boolean valid = token == null
                ? !label.equals(LOCAL.label) || !OperatorRoles.anyOwner(connection)
                : ApiTokens.isStored(connection, token);
        return valid ? null : Denial.SIGNED_OUT;
    }
}
