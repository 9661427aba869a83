// SPDX-License-Identifier: Apache-2.0
/**
 * What happened, for those who ask later: {@link dev.porchlight.server.audit.AuditLog} appends rows that are chained by keyed
 * hashes, {@link dev.porchlight.server.audit.AuditVerification} finds rows that were changed, removed or put in.
 */
package dev.porchlight.server.audit;
