// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.base.sql.StorageFault;
import dev.porchlight.passkey.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteDataSource;

/** Error codes of the databases map to faults. */
class StorageFaultTest {
    @ParameterizedTest
    @CsvSource({
        "53100, FULL",
        "25006, READ_ONLY",
        "58030, DAMAGED",
        "XX001, DAMAGED",
        "28P01, DENIED",
        "28000, DENIED",
        "42501, DENIED",
        "08006, UNAVAILABLE",
        "57P03, UNAVAILABLE",
        "53300, UNAVAILABLE"
    })
    void a_postgresql_state_maps_to_a_fault(String state, StorageFault fault) {
        var pool = new SQLException("no connection", "08001", new SQLException("why", state));

        assertThat(new StorageException("s", new SQLException("why", state)).fault())
                .isEqualTo(fault);
        assertThat(new StorageException("s", pool).fault())
                .as("wrapped by the pool")
                .isEqualTo(fault);
    }

    @ParameterizedTest
    @CsvSource({
        "HY000, 1021, FULL",
        "HY000, 1114, FULL",
        "HY000, 1290, READ_ONLY",
        "HY000, 1712, DAMAGED",
        "42000, 1142, DENIED",
        "42000, 1044, DENIED",
        "28000, 1045, DENIED",
        "HY000, 1205, UNAVAILABLE",
        "08000, 0, UNAVAILABLE"
    })
    void mysql_error_codes_are_classified(String state, int code, StorageFault fault) {
        assertThat(new StorageException("s", new SQLException("why", state, code)).fault())
                .isEqualTo(fault);
    }

    /** The second code is an I/O error during fsync. */
    @ParameterizedTest
    @CsvSource({
        "13, FULL",
        "1034, DAMAGED",
        "11, DAMAGED",
        "26, DAMAGED",
        "8, READ_ONLY",
        "1, UNAVAILABLE",
        "5, UNAVAILABLE"
    })
    void a_sqlite_code_maps_to_a_fault(int code, StorageFault fault) {
        assertThat(new StorageException("s", new SQLException("why", null, code)).fault())
                .isEqualTo(fault);
    }

    /** SQLite rolls back the transaction itself, and the connection must stay usable. */
    @Test
    void a_full_sqlite_accepts_writes_again_after_space_is_freed(@TempDir Path directory) {
        try (var pool = new HikariDataSource()) {
            pool.setJdbcUrl("jdbc:sqlite:" + directory.resolve("full.db") + "?max_page_count=12");
            pool.setMaximumPoolSize(1);
            Sql sql = new Sql(pool);
            sql.update("CREATE TABLE t (x TEXT)");
            String much = "x".repeat(60_000);

            assertThat(faultOf(() -> sql.update("INSERT INTO t VALUES (?)", much)))
                    .isEqualTo(StorageFault.FULL);
            assertThat(faultOf(() -> sql.transaction("add", it -> Sql.update(it, "INSERT INTO t VALUES (?)", much))))
                    .isEqualTo(StorageFault.FULL);
            assertThat(sql.update("INSERT INTO t VALUES ('little')")).isEqualTo(1);
            assertThat(sql.<Integer>transaction("add", it -> Sql.update(it, "INSERT INTO t VALUES ('little')")))
                    .isEqualTo(1);
            assertThat(sql.query("SELECT COUNT(*) FROM t", row -> row.getInt(1)))
                    .containsExactly(2);
        }
    }

    @Test
    void an_invalid_file_is_damaged(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("no.db"), "this is no database at all".repeat(200));

        assertThat(faultOf(() -> Migration.run(sqlite(file, "cache_size", "100"))))
                .isEqualTo(StorageFault.DAMAGED);
    }

    @Test
    void a_read_only_postgresql_is_read_only() throws Exception {
        try (HikariDataSource pool = TestDatabase.POSTGRES.fresh();
                Connection connection = pool.getConnection()) {
            connection
                    .createStatement()
                    .execute("ALTER DATABASE " + connection.getCatalog() + " SET default_transaction_read_only = on");
            pool.getHikariPoolMXBean().softEvictConnections();

            assertThat(faultOf(() -> new Sql(pool).update("CREATE TABLE t (x TEXT)")))
                    .isEqualTo(StorageFault.READ_ONLY);
        }
    }

    private static StorageFault faultOf(org.assertj.core.api.ThrowableAssert.ThrowingCallable work) {
        return catchThrowableOfType(StorageException.class, work).fault();
    }

    private static SQLiteDataSource sqlite(Path file, String pragma, String value) {
        var source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + file + "?" + pragma + "=" + value);
        return source;
    }
}
