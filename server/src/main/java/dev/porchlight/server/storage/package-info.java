// SPDX-License-Identifier: Apache-2.0
/**
 * The database: {@link dev.porchlight.server.storage.Database} opens SQLite or PostgreSQL,
 * {@link dev.porchlight.server.storage.Units} commits units of work with their audit rows, and
 * {@link dev.porchlight.server.storage.TableMaintenance} removes expired rows. This package also has the files in the data directory.
 */
package dev.porchlight.server.storage;
