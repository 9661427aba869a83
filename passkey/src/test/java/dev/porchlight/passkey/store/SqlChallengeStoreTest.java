// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.TestDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
@ParameterizedClass
@EnumSource
@TestInstance(Lifecycle.PER_CLASS)
class SqlChallengeStoreTest extends ShippedStoreContract {
    @Parameter
    TestDatabase database;

    private HikariDataSource pool;
    private Sql sql;
    private ChallengeStore store;

    @BeforeParameterizedClassInvocation
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

    @AfterParameterizedClassInvocation
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
    void a_missing_database_is_a_storage_exception() { // T11
        HikariDataSource gone = database.fresh();
        var lost = new SqlChallengeStore(gone, clock);
        gone.close();

        assertThatThrownBy(() -> lost.takeChallenge("alice", "a")).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> lost.setChallenge("alice", "a", 1)).isInstanceOf(StorageException.class);
    }
}
