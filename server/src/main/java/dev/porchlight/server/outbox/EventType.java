// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.outbox;

import static java.util.Map.entry;

import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The types of events for webhooks, by the audit action that each reports. docs/guides/webhooks.md lists them. */
public final class EventType {
    /** A message that an operator requests, to try an endpoint. */
    public static final String TEST = "webhook.test";

    static final String USER_ERASED = "user.erased";

    /** Matches all types. */
    public static final String ALL = "*";

    private static final Map<String, String> BY_ACTION = new LinkedHashMap<>();

    static {
        Stream.of(
                        entry(AuditAction.ENROLLMENT_ISSUED, "user.invited"),
                        entry(AuditAction.USER_LOCKED, "user.locked"),
                        entry(AuditAction.USER_UNLOCKED, "user.unlocked"),
                        entry(AuditAction.USER_ERASED, USER_ERASED),
                        entry(AuditAction.PROFILE_CHANGED, "user.changed"),
                        entry(AuditAction.EMAIL_VERIFIED, "user.changed"),
                        entry(AuditAction.REGISTRATION, "passkey.added"),
                        entry(AuditAction.PASSKEY_RENAMED, "passkey.renamed"),
                        entry(AuditAction.PASSKEY_REMOVED, "passkey.removed"),
                        entry(AuditAction.DEVICE_LINK_ISSUED, "passkey.link_issued"),
                        entry(AuditAction.RECOVERY_CODES_CREATED, "recovery.codes_created"),
                        entry(AuditAction.RECOVERY_STARTED, "recovery.started"),
                        entry(AuditAction.RECOVERY_CODE_USED, "recovery.code_used"),
                        entry(AuditAction.RECOVERY_CANCELED, "recovery.canceled"),
                        entry(AuditAction.RECOVERY_CODES_REMOVED, "recovery.codes_removed"),
                        entry(AuditAction.LOGIN, "session.started"),
                        entry(AuditAction.LOGOUT, "session.ended"),
                        entry(AuditAction.SESSION_ENDED, "session.ended"),
                        entry(AuditAction.LOGOUT_EVERYWHERE, "session.ended_everywhere"),
                        entry(AuditAction.USER_SIGNED_OUT, "session.ended_everywhere"),
                        entry(AuditAction.CLIENT_AUTHORIZE, "client.signed_in"),
                        entry(AuditAction.CLIENT_CONSENT_REVOKED, "client.consent_revoked"),
                        entry(AuditAction.CLIENT_ADDED, "client.added"),
                        entry(AuditAction.CLIENT_CHANGED, "client.changed"),
                        entry(AuditAction.CLIENT_SECRET_ROTATED, "client.secret_rotated"),
                        entry(AuditAction.CLIENT_REMOVED, "client.removed"),
                        entry(AuditAction.GROUP_MEMBER_ADDED, "group.member_added"),
                        entry(AuditAction.GROUP_MEMBER_REMOVED, "group.member_removed"),
                        entry(AuditAction.GROUP_REMOVED, "group.removed"))
                .forEach(each -> BY_ACTION.put(each.getKey().code(), each.getValue()));
    }

    private EventType() {}

    /** The type of the event that a row reports; null for refusals, and for rows that are no event. */
    static @Nullable String of(AuditEntry row) {
        return row.event().isSuccess() ? BY_ACTION.get(row.event().action()) : null;
    }

    /** The types by audit action, in the order of the documentation. */
    static Map<String, String> byAction() {
        return BY_ACTION;
    }

    /** All types, in the order of the documentation. */
    public static List<String> all() {
        return BY_ACTION.values().stream().distinct().toList();
    }

    /** Whether a filter accepts a type: {@code *}, a type, or a group of types such as {@code user.*}. */
    static boolean matches(List<String> filter, String type) {
        return type.equals(TEST) || filter.stream().anyMatch(each -> matches(each, type));
    }

    private static boolean matches(String pattern, String type) {
        return pattern.equals(ALL)
                || pattern.equals(type)
                || pattern.endsWith(".*") && type.startsWith(pattern.substring(0, pattern.length() - 1));
    }

    /** Whether a pattern matches any type. */
    static boolean isPattern(String pattern) {
        return BY_ACTION.values().stream().anyMatch(type -> matches(pattern, type));
    }
}
