// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.health;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.base.sql.TableVersion;
import dev.porchlight.passkey.store.Migration;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;

/** Checks that the database responds and that this release supports the version of its tables. Thread-safe. */
final class StorageHealth {
    private final Sql sql;

    /**
     * The result of a check.
     *
     * @param up whether ceremonies can work
     * @param details the details for the health endpoint, if the application shows details
     */
    record Result(boolean up, Map<String, Object> details) {}

    StorageHealth(DataSource dataSource) {
        this.sql = new Sql(dataSource);
    }

    Result check() {
        try {
            TableVersion tables = TableVersion.read(sql, "passkey");
            return new Result(
                    tables.supports(Migration.VERSION),
                    Map.of("tableVersion", tables.version(), "knownVersion", Migration.VERSION));
        } catch (StorageException e) {
            return new Result(false, Map.of("fault", e.fault().name().toLowerCase(Locale.ROOT)));
        }
    }
}
