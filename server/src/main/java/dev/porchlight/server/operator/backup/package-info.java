// SPDX-License-Identifier: Apache-2.0
/**
 * Backup and restore of the embedded database. {@link dev.porchlight.server.operator.backup.Backup} copies a database that is in
 * use; {@link dev.porchlight.server.operator.backup.Restore} verifies a copy and replaces the database with it;
 * {@code Backup.Manifest} describes a backup. A backup is a zip file with {@code backup.json}, {@code porchlight.db} and, if the service
 * generated its secret, {@code session-secret}.
 */
package dev.porchlight.server.operator.backup;
