// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

/**
 * Something worth remembering. Never holds a secret, a challenge, a signature or a whole credential id.
 *
 * @param action what was done, such as {@code login} or {@code key_rotation}
 * @param userId who it concerns; empty when nobody is known
 * @param outcome {@code ok} or {@code refused}
 * @param reason the code of the step that refused or was flagged, or empty
 * @param correlationId what ties it to log lines and traces
 */
public record AuditEvent(String action, String userId, String outcome, String reason, String correlationId) {

    public static AuditEvent of(String action, String userId, String correlationId) {
        return new AuditEvent(action, userId, "ok", "", correlationId);
    }
}
