// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.passkey.TestDatabase;
import dev.porchlight.testkit.contract.CredentialStoreContract;
import dev.porchlight.testkit.contract.CredentialSubject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The shipped store passes the testkit's contract. */
@ParameterizedClass
@EnumSource
@TestInstance(Lifecycle.PER_CLASS)
class CredentialContractTest implements CredentialStoreContract {
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
            var credential = CredentialRecord.of(
                    row.credentialId(), row.userId(), row.publicKey(), row.signCount(), "https://a.example");
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

    @Parameter
    TestDatabase database;

    private HikariDataSource pool;

    @BeforeParameterizedClassInvocation
    void migrate() {
        pool = database.fresh();
        Migration.run(pool);
    }

    @AfterParameterizedClassInvocation
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
