// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.porchlight.base.sql.UnsupportedDatabaseException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class UnsupportedDatabaseTest {
    @Test
    void the_migration_of_an_unsupported_database_fails_with_one_sentence() {
        DatabaseMetaData oracle = with(DatabaseMetaData.class, "getDatabaseProductName", "Oracle");
        DataSource database = with(DataSource.class, "getConnection", with(Connection.class, "getMetaData", oracle));

        assertThatExceptionOfType(UnsupportedDatabaseException.class)
                .isThrownBy(() -> Migration.run(database))
                .withMessage("Passkeys need SQLite, PostgreSQL, MySQL or MariaDB,"
                        + " but the application's DataSource is Oracle.");
    }

    /** An object with one working method; statements fail as on a database with other SQL states. */
    private static <T> T with(Class<T> type, String method, Object result) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
                    if (called.getName().equals("getAutoCommit")) {
                        return true;
                    }
                    if (called.getName().equals("close")) {
                        return null;
                    }
                    if (!called.getName().equals(method)) {
                        throw new SQLException("ORA-00942: table or view does not exist", "42000", 942);
                    }
                    return result;
                }));
    }
}
