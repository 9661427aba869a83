// SPDX-License-Identifier: Apache-2.0
/**
 * Who may do what: callers, sessions and enrollments, the administration of users and groups, and the
 * database writes of each ceremony ({@link dev.porchlight.server.auth.CeremonyRequest}). A
 * {@link dev.porchlight.server.auth.Grant} is the access that a passkey gave.
 */
package dev.porchlight.server.auth;
