// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base.sql;

/** The tables cannot be created, because the application's database is not supported. */
public final class UnsupportedDatabaseException extends StorageException {
    private static final long serialVersionUID = 1L;

    UnsupportedDatabaseException(String product) {
        super("Passkeys need SQLite, PostgreSQL, MySQL or MariaDB, but the application's DataSource is " + product
                + ".");
    }
}
