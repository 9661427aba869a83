// SPDX-License-Identifier: Apache-2.0
/**
 * JDBC behind {@link dev.porchlight.base.sql.Sql}, which retries conflicts, and the migration of versioned tables.
 * Every failure is a {@link dev.porchlight.base.sql.StorageException}. The tests are in {@code passkey}, with the tests
 * of the stores.
 */
package dev.porchlight.base.sql;
