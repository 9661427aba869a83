// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.passkey.Operation;
import java.util.Locale;

/** What an audit row reports. docs/operations/audit-log.md describes each. */
public enum AuditAction {
    REGISTRATION,
    LOGIN,
    LOGOUT,
    LOGOUT_EVERYWHERE,
    SESSION_ENDED,
    PASSKEY_RENAMED,
    PASSKEY_REMOVED,
    ENROLLMENT_ISSUED,
    DEVICE_LINK_ISSUED,
    RECOVERY_CODES_CREATED,
    RECOVERY_STARTED,
    RECOVERY_CODE_USED,
    RECOVERY_CANCELED,
    RECOVERY_CODES_REMOVED,
    USER_LOCKED,
    USER_UNLOCKED,
    USER_SIGNED_OUT,
    USER_ERASED,
    PROFILE_CHANGED,
    EMAIL_VERIFIED,
    CLIENT_AUTHORIZE,
    CLIENT_TOKEN,
    CLIENT_USERINFO,
    CLIENT_REVOKE,
    CLIENT_LOGOUT,
    CLIENT_PAR,
    CLIENT_CONSENT_REVOKED,
    CLIENT_ADDED,
    CLIENT_CHANGED,
    CLIENT_SECRET_ROTATED,
    CLIENT_REMOVED,
    GROUP_MEMBER_ADDED,
    GROUP_MEMBER_REMOVED,
    GROUP_CHANGED,
    GROUP_REMOVED,
    WEBHOOK_ADDED,
    WEBHOOK_CHANGED,
    WEBHOOK_SECRET_ROTATED,
    WEBHOOK_REMOVED,
    OPERATOR_ADDED,
    OPERATOR_REMOVED,
    API_TOKEN_ISSUED,
    API_TOKEN_REVOKED,
    RESPONSE_EXPLAINED,
    PASSKEYS_EXPORTED,
    PASSKEYS_IMPORTED,
    PASSKEYS_REVIVED,
    KEY_ROTATION,
    KEY_REVOCATION,
    AUDIT_STARTED,
    AUDIT_STOPPED,
    AUDIT_ACCEPTED;

    private final String code = name().toLowerCase(Locale.ROOT);

    /** The name in the column {@code action}, in responses and in the console. */
    public String code() {
        return code;
    }

    public static AuditAction of(Operation operation) {
        return switch (operation) {
            case FINISH_REGISTRATION -> REGISTRATION;
            case FINISH_AUTHENTICATION -> LOGIN;
            case START_REGISTRATION, START_AUTHENTICATION ->
                throw new IllegalArgumentException("options are not audited");
        };
    }
}
