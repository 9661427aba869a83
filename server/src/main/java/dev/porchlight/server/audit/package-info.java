// SPDX-License-Identifier: Apache-2.0
/**
 * The audit log. {@link dev.porchlight.server.audit.AuditLog} appends rows that are chained by keyed
 * hashes, {@link dev.porchlight.server.audit.AuditVerification} finds rows that were changed, removed
 * or added.
 */
package dev.porchlight.server.audit;
