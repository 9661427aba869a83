// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

/** Audit events of tests, with any name. */
public final class AuditEvents {
    private AuditEvents() {}

    public static AuditEvent named(String action, String userId, String correlationId) {
        return new AuditEvent(action, userId, "ok", "", "", "", "", "", 0, correlationId);
    }
}
