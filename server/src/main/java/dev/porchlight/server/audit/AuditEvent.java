// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import java.util.Collection;

/**
 * An audited event. Never contains a secret, a challenge, a signature or a whole credential id. Unknown texts are empty.
 *
 * @param action the code of an {@link AuditAction}, for a summary with the suffix {@code _summary}
 * @param userId the affected user; in a row their pseudonym, see {@link AuditSubjects}
 * @param outcome {@code ok} or {@code refused}
 * @param reason the code of the step or of the OpenID Connect refusal that refused, or the codes of steps that were flagged;
 *     {@code signed_in} for a registration that signed in
 * @param operator the label of the credential with which an operator acted
 * @param clientId the OpenID Connect client that the event concerns
 * @param groupName the group that the event concerns
 * @param changed what was changed, comma-separated: the settings of a client, the members of a profile, the role of an operator, or the name and role of an API token
 * @param further the number of refusals that a summary stands for, or of sign-ins to a client, changes of a consent or renames since the previous row; or 0
 * @param correlationId links the row to log lines and traces
 */
public record AuditEvent(
        String action,
        String userId,
        String outcome,
        String reason,
        String operator,
        String clientId,
        String groupName,
        String changed,
        long further,
        String correlationId) {
    static final String OK = "ok";
    static final String REFUSED = "refused";
    static final String SUMMARY = "_summary";

    public static AuditEvent of(AuditAction action, String userId, String correlationId) {
        return new AuditEvent(action.code(), userId, OK, "", "", "", "", "", 0, correlationId);
    }

    /** An operator's action, which gets the operator and the request from its unit of work. */
    public static AuditEvent of(AuditAction action, String userId) {
        return of(action, userId, "");
    }

    public static AuditEvent refused(AuditAction action, String userId, String reason, String correlationId) {
        return new AuditEvent(action.code(), userId, REFUSED, reason, "", "", "", "", 0, correlationId);
    }

    public boolean isSuccess() {
        return outcome.equals(OK);
    }

    /** A summary of further refusals with this action and reason. */
    static AuditEvent summary(String action, String userId, String reason, long further) {
        return new AuditEvent(action + SUMMARY, userId, REFUSED, reason, "", "", "", "", further, "");
    }

    /** This event with the code of a step that was flagged. */
    public AuditEvent withReason(String code) {
        return new AuditEvent(
                action, userId, outcome, code, operator, clientId, groupName, changed, further, correlationId);
    }

    public AuditEvent withClient(String id) {
        return new AuditEvent(
                action, userId, outcome, reason, operator, id, groupName, changed, further, correlationId);
    }

    /** This event with the number of others that it stands for. */
    public AuditEvent withFurther(long number) {
        return new AuditEvent(
                action, userId, outcome, reason, operator, clientId, groupName, changed, number, correlationId);
    }

    public AuditEvent withChanges(Collection<String> changes) {
        String names = String.join(", ", changes);
        return new AuditEvent(
                action, userId, outcome, reason, operator, clientId, groupName, names, further, correlationId);
    }

    public AuditEvent withGroup(String name) {
        return new AuditEvent(
                action, userId, outcome, reason, operator, clientId, name, changed, further, correlationId);
    }

    /** This event with the label of the operator's credential, and their request. */
    public AuditEvent by(String label, String id) {
        return new AuditEvent(action, userId, outcome, reason, label, clientId, groupName, changed, further, id);
    }

    AuditEvent withOperator(String label) {
        return new AuditEvent(
                action, userId, outcome, reason, label, clientId, groupName, changed, further, correlationId);
    }

    /** This event with another user, or with a pseudonym. */
    AuditEvent withUser(String user) {
        return new AuditEvent(
                action, user, outcome, reason, operator, clientId, groupName, changed, further, correlationId);
    }
}
