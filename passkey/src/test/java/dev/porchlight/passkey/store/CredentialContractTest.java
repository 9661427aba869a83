// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.passkey.TestDatabase;
import dev.porchlight.testkit.contract.CredentialStoreContract;
import dev.porchlight.testkit.contract.CredentialSubject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The store shipped here keeps the contract that testkit holds everybody's stores to. */
class CredentialContractTest {
    private record Subject(CredentialStore store) implements CredentialSubject {
        @Override
        public Row find(String credentialId) {
            CredentialRecord found = store.find(credentialId);
            return found == null
                    ? null
                    : new Row(found.credentialId(), found.userId(), found.publicKey(), found.signCount());
        }

        @Override
        public List<String> idsOf(String userId) {
            return store.list(userId).stream()
                    .map(CredentialRecord::credentialId)
                    .toList();
        }

        @Override
        public boolean add(Row row) {
            var credential = CredentialRecord.builder(
                            row.credentialId(), row.userId(), row.publicKey(), row.signCount(), "https://a.example")
                    .build();
            return store.add(credential, 20) == CredentialStore.Addition.ADDED;
        }

        @Override
        public boolean advance(String credentialId, long signCount) {
            return store.advance(credentialId, new CredentialStore.Use(signCount, Instant.EPOCH, false, false));
        }

        @Override
        public boolean remove(String userId, String credentialId) {
            return store.remove(userId, credentialId, true) == CredentialStore.Removal.REMOVED;
        }
    }

    @TestInstance(Lifecycle.PER_CLASS)
    abstract static class OnDatabase implements CredentialStoreContract {
        private final TestDatabase database;
        private HikariDataSource pool;

        OnDatabase(TestDatabase database) {
            this.database = database;
        }

        @BeforeAll
        void migrate() {
            pool = database.fresh();
            Migration.run(pool);
        }

        @AfterAll
        void close() {
            if (pool != null) {
                pool.close();
            }
        }

        @Override
        public CredentialSubject credentials() {
            return new Subject(new SqlCredentialStore(pool));
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
