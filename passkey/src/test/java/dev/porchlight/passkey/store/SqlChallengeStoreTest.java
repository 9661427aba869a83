// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.passkey.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

@Tag("slow")
class SqlChallengeStoreTest {

    @TestInstance(Lifecycle.PER_CLASS)
    abstract static class OnDatabase extends ShippedStoreContract {
        private final TestDatabase database;
        private HikariDataSource pool;
        private Sql sql;
        private ChallengeStore store;

        OnDatabase(TestDatabase database) {
            this.database = database;
        }

        @BeforeAll
        void migrate() {
            pool = database.fresh();
            sql = new Sql(pool);
            Migration.run(pool);
        }

        @BeforeEach
        void empty() {
            sql.update("DELETE FROM passkey_challenge");
            store = new SqlChallengeStore(pool, clock);
        }

        @AfterAll
        void close() {
            if (pool != null) {
                pool.close();
            }
        }

        @Override
        ChallengeStore store() {
            return store;
        }

        @Override
        long stored() {
            return sql.query("SELECT COUNT(*) FROM passkey_challenge", row -> row.getLong(1))
                    .get(0);
        }

        @Test
        void fails_aloud_when_the_database_is_gone() { // P11
            HikariDataSource gone = database.fresh();
            var lost = new SqlChallengeStore(gone, clock);
            gone.close();

            assertThatThrownBy(() -> lost.takeChallenge("alice", "a")).isInstanceOf(StorageException.class);
            assertThatThrownBy(() -> lost.setChallenge("alice", "a", 1)).isInstanceOf(StorageException.class);
        }
    }

    @Nested
    class OnSqlite extends OnDatabase {
        OnSqlite() {
            super(TestDatabase.SQLITE);
        }
    }

    @Nested
    class OnPostgres extends OnDatabase {
        OnPostgres() {
            super(TestDatabase.POSTGRES);
        }
    }

    @Nested
    class OnPgBouncer extends OnDatabase {
        OnPgBouncer() {
            super(TestDatabase.PGBOUNCER);
        }
    }
}
