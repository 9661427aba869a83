// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static dev.porchlight.passkey.HandmadePasskey.UP;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.passkey.store.ChallengeStore;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.passkey.store.SqlChallengeStore;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.passkey.store.StoredChallenge;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Complete ceremonies on 64 threads with one assertion, on every store (T02). */
@Tag("slow")
class ManyAtOnceTest {
    private static final int THREADS = 64;

    /** Enough rounds for a store that reads and then removes a challenge to fail, as a test below shows. */
    private static final int ROUNDS = 50;

    /** Fewer rounds: with sealed challenges all 64 threads verify a signature and run a transaction. */
    private static final int SEALED_ROUNDS = 10;

    static Stream<Arguments> stores() {
        return Stream.of(
                store("sealed on SQLite", TestDatabase.SQLITE, (pool, clock) -> null),
                store("sealed on PostgreSQL", TestDatabase.POSTGRES, (pool, clock) -> null),
                store("sealed on MariaDB", TestDatabase.MARIADB, (pool, clock) -> null),
                store("memory", TestDatabase.SQLITE, (pool, clock) -> new MemoryChallengeStore(clock)),
                store("three operations", TestDatabase.SQLITE, (pool, clock) -> new ThreeOperations()),
                store("SQLite", TestDatabase.SQLITE, SqlChallengeStore::new),
                store("PostgreSQL", TestDatabase.POSTGRES, SqlChallengeStore::new),
                store("PgBouncer", TestDatabase.PGBOUNCER, SqlChallengeStore::new),
                store("MariaDB", TestDatabase.MARIADB, SqlChallengeStore::new));
    }

    private static Arguments store(
            String name, TestDatabase database, BiFunction<DataSource, TestClock, ChallengeStore> store) {
        return Arguments.of(Named.of(name, database), store);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stores")
    void one_of_64_concurrent_copies_of_an_assertion_is_accepted(
            TestDatabase database, BiFunction<DataSource, TestClock, ChallengeStore> store) {
        try (HikariDataSource pool = database.fresh();
                var race = new Race(THREADS)) {
            Migration.run(pool);
            var verified = new AtomicInteger();
            ChallengeStore challenges = store.apply(pool, new TestClock());
            int rounds = challenges == null ? SEALED_ROUNDS : ROUNDS;
            PasskeyService service =
                    Stage.on(pool, challenges).listen(config -> config, new CountsSignatures(verified)).service;
            var passkey = new HandmadePasskey("raced");
            // Without a counter, so that only the challenge distinguishes responses.
            new SqlCredentialStore(pool).add(passkey.recordOf("alice", 0), 20);
            for (int round = 0; round < rounds; round++) {
                String response = passkey.respond(service.startAuthentication("alice"), UP, 0);

                List<AuthenticationResult> results = race.run(() -> service.finishAuthentication("alice", response));

                assertThat(results.stream().filter(AuthenticationResult::verified))
                        .as("round %d", round)
                        .hasSize(1);
            }
            // A store returns a challenge once, before the signature is verified. A sealed one is marked as used later.
            assertThat(verified).hasValue(challenges == null ? THREADS * rounds : rounds);
        }
    }

    /** Shows that the race is real: without an atomic store, several logins with one assertion succeed. */
    @ParameterizedTest
    @EnumSource
    void a_store_that_reads_a_challenge_and_then_removes_it_fails_the_race(TestDatabase database) {
        try (HikariDataSource pool = database.fresh();
                var race = new Race(THREADS)) {
            Migration.run(pool);
            PasskeyService service = Stage.on(pool, new ReadsAndRemoves(new SqlChallengeStore(pool))).service;
            var passkey = new HandmadePasskey("raced");
            new SqlCredentialStore(pool).add(passkey.recordOf("alice", 0), 20);
            long most = 0;
            for (int round = 0; round < ROUNDS && most < 2; round++) {
                String response = passkey.respond(service.startAuthentication("alice"), UP, 0);
                most = race.run(() -> service.finishAuthentication("alice", response)).stream()
                        .filter(AuthenticationResult::verified)
                        .count();
            }
            assertThat(most).isGreaterThan(1);
        }
    }

    private record ReadsAndRemoves(ChallengeStore store) implements ChallengeStore {
        @Override
        public StoredChallenge getChallenge(String userId) {
            return store.getChallenge(userId);
        }

        @Override
        public void setChallenge(String userId, String challenge, long expiresAt) {
            store.setChallenge(userId, challenge, expiresAt);
        }

        @Override
        public void clearChallenge(String userId) {
            store.clearChallenge(userId);
        }

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // the simulated fault
        public StoredChallenge takeChallenge(String userId, String challenge) {
            StoredChallenge stored = getChallenge(userId);
            Thread.yield(); // simulates a database round trip
            clearChallenge(userId);
            return stored;
        }
    }

    private record CountsSignatures(AtomicInteger verified) implements CeremonyListener {
        @Override
        public void spent(Operation operation, OperationPhase phase, long nanos) {
            if (phase == OperationPhase.SIGNATURE) {
                verified.incrementAndGet();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void concurrent_logins_keep_the_greatest_count_and_use_each_count_once(TestDatabase database) { // T35
        try (HikariDataSource pool = database.fresh();
                var race = new Race(16)) {
            Migration.run(pool);
            PasskeyService service = Stage.on(pool, null).service;
            var passkey = new HandmadePasskey("counting");
            var credentials = new SqlCredentialStore(pool);
            credentials.add(passkey.recordOf("alice", 0), 20);
            for (int round = 1; round <= 10; round++) {
                long count = round;

                List<AuthenticationResult> results = race.run(() -> service.finishAuthentication(
                        "alice", passkey.respond(service.startAuthentication("alice"), UP, count)));

                assertThat(results.stream().filter(AuthenticationResult::verified))
                        .hasSize(1);
                assertThat(credentials.find(passkey.id).signCount()).isEqualTo(count);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void concurrent_registrations_of_one_user_stay_within_the_limit(TestDatabase database) {
        try (HikariDataSource pool = database.fresh();
                var race = new Race(16)) {
            Migration.run(pool);
            Stage stage = Stage.on(pool, null).configure(config -> config.maxPasskeysPerUser(5));
            var registered = new AtomicInteger();

            race.run(() -> {
                var browser = Stage.browser();
                String options = stage.service.startRegistration("alice").toJson();
                if (stage.service
                        .finishRegistration("alice", browser.create(options))
                        .registered()) {
                    registered.incrementAndGet();
                }
                return null;
            });

            assertThat(registered).hasValue(5);
            assertThat(stage.passkeys("alice")).hasSize(5);
        }
    }
}
