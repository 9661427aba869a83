// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

/**
 * An audited event. Never contains a secret, a challenge, a signature or a whole credential id.
 *
 * @param action the action, such as {@code login} or {@code key_rotation}
 * @param userId the affected user; empty if unknown
 * @param outcome {@code ok} or {@code refused}
 * @param reason the code of the step that refused or was flagged, another detail, or empty
 * @param correlationId links the row to log lines and traces
 */
public record AuditEvent(String action, String userId, String outcome, String reason, String correlationId) {
    /** The action of a sign-in to an OpenID Connect client. The reason of a successful one is the client id. */
    public static final String CLIENT_SIGN_IN = "client_authorize";

    /** An operator's action; the reason is the label of the operator's credential. */
    public static AuditEvent byOperator(String action, String userId, String operator, String correlationId) {
        return new AuditEvent(action, userId, "ok", operator, correlationId);
    }

    /** An operator's action that concerns something beside a user: a client or a group. */
    public static AuditEvent byOperator(
            String action, String userId, String subject, String operator, String correlationId) {
        return byOperator(action, userId, subject + " by " + operator, correlationId);
    }

    public static AuditEvent of(String action, String userId, String correlationId) {
        return new AuditEvent(action, userId, "ok", "", correlationId);
    }
}
