// SPDX-License-Identifier: Apache-2.0
/**
 * JDBC behind {@link dev.porchlight.base.sql.Sql}, which retries what the database rolled back, and the migration of versioned
 * tables. Every failure is a {@link dev.porchlight.base.sql.StorageException}. The tests are beside those of the stores, in
 * {@code passkey}, which run on the same databases.
 */
package dev.porchlight.base.sql;
