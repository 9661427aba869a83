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

/** One assertion, sixty-four threads, one success: the whole ceremony, many times on every store (T02). */
@Tag("slow")
class ManyAtOnceTest {
    private static final int THREADS = 64;

    /** A store that reads a challenge and then removes it fails within these, as a test below shows. */
    private static final int ROUNDS = 50;

    /** A sealed challenge costs every one of the 64 a signature check and a transaction. */
    private static final int SEALED_ROUNDS = 10;

    static Stream<Arguments> stores() {
        return Stream.of(
                store("sealed on SQLite", TestDatabase.SQLITE, (pool, clock) -> null),
                store("sealed on PostgreSQL", TestDatabase.POSTGRES, (pool, clock) -> null),
                store("memory", TestDatabase.SQLITE, (pool, clock) -> new MemoryChallengeStore(clock)),
                store("three operations", TestDatabase.SQLITE, (pool, clock) -> new ThreeOperations()),
                store("SQLite", TestDatabase.SQLITE, SqlChallengeStore::new),
                store("PostgreSQL", TestDatabase.POSTGRES, SqlChallengeStore::new),
                store("PgBouncer", TestDatabase.PGBOUNCER, SqlChallengeStore::new));
    }

    private static Arguments store(
            String name, TestDatabase database, BiFunction<DataSource, TestClock, ChallengeStore> store) {
        return Arguments.of(Named.of(name, database), store);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stores")
    void one_of_64_who_bring_one_assertion_signs_in(
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
            // Not counting, so that nothing but the challenge tells one answer from the next.
            new SqlCredentialStore(pool).add(passkey.recordOf("alice", 0).build(), 20);
            for (int round = 0; round < rounds; round++) {
                String answer = passkey.answer(service.startAuthentication("alice"), UP, 0);

                List<AuthenticationResult> results = race.run(() -> service.finishAuthentication("alice", answer));

                assertThat(results.stream().filter(AuthenticationResult::verified))
                        .as("round %d", round)
                        .hasSize(1);
            }
            // A store gives a challenge once, before the signature is checked. A sealed one is marked as used after
            // that.
            assertThat(verified).hasValue(challenges == null ? THREADS * rounds : rounds);
        }
    }

    /** The race is one: without an atomic step in the store, several sign in with one assertion. */
    @ParameterizedTest
    @EnumSource
    void a_store_that_reads_a_challenge_and_then_removes_it_fails_the_race(TestDatabase database) {
        try (HikariDataSource pool = database.fresh();
                var race = new Race(THREADS)) {
            Migration.run(pool);
            PasskeyService service = Stage.on(pool, new ReadsAndRemoves(new SqlChallengeStore(pool))).service;
            var passkey = new HandmadePasskey("raced");
            new SqlCredentialStore(pool).add(passkey.recordOf("alice", 0).build(), 20);
            long most = 0;
            for (int round = 0; round < ROUNDS && most < 2; round++) {
                String answer = passkey.answer(service.startAuthentication("alice"), UP, 0);
                most = race.run(() -> service.finishAuthentication("alice", answer)).stream()
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
        @SuppressWarnings("ThreadPriorityCheck") // the fault that is shown
        public StoredChallenge takeChallenge(String userId, String challenge) {
            StoredChallenge stored = getChallenge(userId);
            Thread.yield(); // the time it takes to the database and back
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
    void concurrent_logins_keep_the_greatest_count_and_none_is_counted_twice(TestDatabase database) { // T35
        try (HikariDataSource pool = database.fresh();
                var race = new Race(16)) {
            Migration.run(pool);
            PasskeyService service = Stage.on(pool, null).service;
            var passkey = new HandmadePasskey("counting");
            var credentials = new SqlCredentialStore(pool);
            credentials.add(passkey.recordOf("alice", 0).build(), 20);
            for (int round = 1; round <= 10; round++) {
                long count = round;

                List<AuthenticationResult> results = race.run(() -> service.finishAuthentication(
                        "alice", passkey.answer(service.startAuthentication("alice"), UP, count)));

                assertThat(results.stream().filter(AuthenticationResult::verified))
                        .hasSize(1);
                assertThat(credentials.find(passkey.id).signCount()).isEqualTo(count);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void many_registrations_of_one_user_stay_within_his_limit(TestDatabase database) {
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
