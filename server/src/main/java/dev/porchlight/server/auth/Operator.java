// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.server.audit.AuditSubjects;
import dev.porchlight.server.crypto.KeyedHash;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The person or program that sent a request to a route for operators.
 *
 * @param label names the person or the token in audit rows; a person by their pseudonym, so that the log survives an erasure
 * @param session the session of a person; null for a program
 * @param token the named token of a program; null for others
 */
public record Operator(String label, Role role, @Nullable Session session, ApiTokens.@Nullable Entry token) {
    /** Operators on this machine, in localhost mode without an owner. */
    public static final Operator LOCAL = new Operator("local", Role.OWNER, null, null);

    private static final int FINGERPRINT_BYTES = 4;
    private static final int MAX_NAME = 32;

    /** A signed-in person. */
    public static Operator of(Session session, Role role, AuditSubjects subjects) {
        return new Operator(AuditSubjects.LABEL + subjects.of(session.userId()), role, session, null);
    }

    /** A program with a named token. */
    public static Operator of(ApiTokens.Entry token) {
        return new Operator("token:" + token.name(), token.role(), null, token);
    }

    /**
     * The caller with {@code ADMIN_TOKEN}, labeled with a fingerprint of it. The fingerprint is keyed, so that the audit log
     * cannot be used to guess the token.
     */
    public static Operator ofAdminToken(String token, byte[] key) {
        byte[] fingerprint = new KeyedHash(key).of(token.getBytes(StandardCharsets.UTF_8));
        String label = "admin-token:" + HexFormat.of().formatHex(fingerprint, 0, FINGERPRINT_BYTES);
        return new Operator(label, Role.OWNER, null, null);
    }

    /** The label of commands: {@code cli:} and the name of the system user. */
    public static String commandLine() {
        String name = System.getProperty("user.name", "").replaceAll("[^A-Za-z0-9._-]", "");
        return "cli:" + name.substring(0, Math.min(name.length(), MAX_NAME));
    }

    /** The user id of a person, or null. */
    public @Nullable String userId() {
        return session == null ? null : session.userId();
    }

    public boolean may(Permission permission) {
        return role.may(permission);
    }
}
