// SPDX-License-Identifier: Apache-2.0
/**
 * Backup of the embedded database and the way back. {@link dev.porchlight.server.operator.backup.Backup} copies a database that is in
 * use; {@link dev.porchlight.server.operator.backup.Restore} puts a copy in its place, having verified it; {@code Manifest} says what
 * is in one. A backup is a zip: {@code backup.json}, {@code porchlight.db} and, where the service made its secret itself,
 * {@code session-secret}.
 */
package dev.porchlight.server.operator.backup;
