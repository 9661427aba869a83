// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.limit.RequestDeadline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class DatabaseTest {

    /** An unusable database at startup is reported in one line with a fix. */
    @Nested
    class AtTheStart {
        @TempDir
        private Path directory;

        @Test
        void a_file_that_is_not_a_database_is_reported() throws Exception {
            Path file = Files.writeString(directory.resolve("no.db"), "no database ".repeat(1_000));

            assertThat(fault("jdbc:sqlite:" + file))
                    .contains(file.toString(), "SQLITE_NOTADB", "./porchlight restore")
                    .doesNotContain("\n");
        }

        @Test
        void a_missing_directory_is_reported() {
            assertThat(fault("jdbc:sqlite:" + directory.resolve("nowhere/x.db")))
                    .contains("check that its directory exists");
        }

        @Test
        void an_unreachable_server_is_reported() {
            assertThat(fault("postgres://user:hush@127.0.0.1:1/db"))
                    .contains("127.0.0.1:1/db", "refused", "check that it is running and that DATABASE_URL is correct")
                    .doesNotContain("hush", "\n");
        }

        @Test
        void a_user_without_access_is_reported() {
            String url = TestDatabase.POSTGRES.freshUrl().replaceAll("user=.*", "user=stranger");
            assertThat(fault(url)).contains("stranger", "correct the user and password in DATABASE_URL");
        }

        @Test
        void a_missing_database_is_reported() {
            String url = TestDatabase.POSTGRES.freshUrl().replaceAll("/test[0-9]+", "/nothing");
            assertThat(fault(url)).contains("\"nothing\" does not exist").doesNotContain("\n");
        }

        @Test
        void a_read_only_postgresql_is_reported() throws Exception {
            String url = TestDatabase.POSTGRES.freshUrl() + "&options=-c%20default_transaction_read_only=on";
            assertThat(fault(url)).contains("DATABASE_URL");
        }

        @Test
        void tables_of_a_newer_release_are_reported() {
            String url = TestDatabase.SQLITE.freshUrl();
            try (Database database = Database.open(DatabaseUrl.parse(url), 1)) {
                database.migrate(Database.START_TIMEOUT);
                new Sql(database.dataSource()).update("UPDATE passkey_schema SET version = 99, oldest = 99");
            }
            assertThat(fault(url)).contains("version 99", "run the release that created them, or a newer one");
        }

        private String fault(String url) {
            return catchThrowableOfType(StorageException.class, () -> {
                        // the pool tries for half of the time to connect
                        try (Database database = Database.open(DatabaseUrl.parse(url), 2, Duration.ofSeconds(10))) {
                            database.migrate(Duration.ZERO);
                        }
                    })
                    .getMessage();
        }
    }

    @Nested
    class Waiting {
        private final Database database = Database.open(DatabaseUrl.parse(TestDatabase.POSTGRES.freshUrl()), 1);

        @BeforeEach
        void connect() {
            Awaitility.await().ignoreExceptions().until(() -> backend() > 0);
        }

        @AfterEach
        void close() {
            RequestDeadline.end();
            database.close();
        }

        @Test
        void the_server_cancels_a_slow_statement() {
            assertThatThrownBy(() -> sql().query("SELECT pg_sleep(60)", row -> 1))
                    .isInstanceOf(StorageException.class)
                    .hasRootCauseMessage("ERROR: canceling statement due to statement timeout");
        }

        @Test
        void all_statements_of_a_request_share_one_deadline() {
            RequestDeadline.begin(RequestDeadline.DEFAULT);
            sql().query("SELECT pg_sleep(0.9)", row -> 1);

            assertThatThrownBy(() -> sql().query("SELECT pg_sleep(1.3)", row -> 1))
                    .isInstanceOf(StorageException.class)
                    .rootCause()
                    .isInstanceOf(java.net.SocketTimeoutException.class);
            assertThatThrownBy(() -> sql().query("SELECT 1", row -> 1))
                    .isInstanceOf(StorageException.class)
                    .hasRootCauseMessage("the request deadline is exceeded");

            Awaitility.await().ignoreExceptions().untilAsserted(() -> {
                RequestDeadline.begin(RequestDeadline.DEFAULT);
                assertThat(sql().query("SELECT 1", row -> row.getInt(1))).containsExactly(1);
            });
        }

        @Test
        void a_connection_to_a_read_only_server_is_not_reused() {
            int before = backend();
            sql().update("SET default_transaction_read_only = on");
            assertThatThrownBy(() -> sql().update("CREATE TABLE t (x INTEGER)")).isInstanceOf(StorageException.class);

            Awaitility.await().ignoreExceptions().until(() -> backend() != before);
            sql().update("CREATE TABLE t (x INTEGER)");
        }

        private int backend() {
            return sql().query("SELECT pg_backend_pid()", row -> row.getInt(1)).get(0);
        }

        private Sql sql() {
            return database.sql(text -> () -> {});
        }
    }
}
