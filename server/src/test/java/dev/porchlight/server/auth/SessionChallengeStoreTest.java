// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.store.StoredChallenge;
import dev.porchlight.server.TestDatabase;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.DatabaseUrl;
import dev.porchlight.server.storage.MemorySealedEntries;
import dev.porchlight.server.storage.SealedEntries;
import dev.porchlight.server.storage.ServerTables;
import dev.porchlight.server.storage.SqlSealedEntries;
import dev.porchlight.testkit.contract.ChallengeStoreContract;
import dev.porchlight.testkit.contract.ChallengeSubject;
import java.security.SecureRandom;
import java.time.Clock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The kit's contract of challenge stores, on every place the service keeps challenges in. */
class SessionChallengeStoreTest {
    private abstract static class OnDatabase implements ChallengeStoreContract {
        private final TestDatabase kind;
        private Database database;

        OnDatabase(TestDatabase kind) {
            this.kind = kind;
        }

        @BeforeAll
        void open() {
            database = Database.open(DatabaseUrl.parse(kind.freshUrl()), 16);
            ServerTables.migrate(database.dataSource());
        }

        @AfterAll
        void close() {
            database.close();
        }

        @Override
        public int rounds() {
            return 5;
        }

        @Override
        public ChallengeSubject challenges() {
            return subject(new SqlSealedEntries(database.sql(), Clock.systemUTC()));
        }
    }

    @Nested
    class InMemory implements ChallengeStoreContract {
        private final ChallengeSubject subject = subject(new MemorySealedEntries());

        @Override
        public ChallengeSubject challenges() {
            return subject;
        }

        @Override
        public int rounds() {
            return 50;
        }
    }

    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class OnSqlite extends OnDatabase {
        OnSqlite() {
            super(TestDatabase.SQLITE);
        }
    }

    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class OnPostgres extends OnDatabase {
        OnPostgres() {
            super(TestDatabase.POSTGRES);
        }
    }

    private static ChallengeSubject subject(SealedEntries entries) {
        var manager = new SessionManager(
                "a secret that is long enough to be one", entries, Clock.systemUTC(), new SecureRandom());
        var store = new SessionChallengeStore(manager);
        return new ChallengeSubject() {
            @Override
            public Entry get(String userId) {
                return entry(store.getChallenge(userId));
            }

            @Override
            public void set(String userId, String challenge, long expiresAt) {
                store.setChallenge(userId, challenge, expiresAt);
            }

            @Override
            public void clear(String userId) {
                store.clearChallenge(userId);
            }

            @Override
            public Entry take(String userId, String challenge) {
                return entry(store.takeChallenge(userId, challenge));
            }
        };
    }

    private static ChallengeSubject.Entry entry(StoredChallenge stored) {
        return stored == null ? null : new ChallengeSubject.Entry(stored.challenge(), stored.expiresAt());
    }
}
