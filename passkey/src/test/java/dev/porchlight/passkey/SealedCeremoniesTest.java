// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static dev.porchlight.passkey.ChallengeLifeTest.assertRefused;
import static dev.porchlight.passkey.HandmadePasskey.UP;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.store.CredentialStore.Use;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.testkit.tamper.CeremonyType;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Ceremonies with sealed challenges: their writes, and that each commit is atomic. */
@Tag("slow")
@ParameterizedClass
@EnumSource
class SealedCeremoniesTest {
    @Parameter
    TestDatabase database;

    private final HandmadePasskey passkey = new HandmadePasskey("sealed");
    private HikariDataSource pool;
    private Sql sql;
    private SqlCredentialStore passkeys;
    private Stage stage;
    private PasskeyService service;

    @BeforeEach
    void open() {
        pool = database.fresh();
        Migration.run(pool);
        sql = new Sql(pool);
        passkeys = new SqlCredentialStore(pool);
        stage = Stage.on(pool, null);
        service = stage.service;
        passkeys.add(passkey.recordOf("alice", 0), 20);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void login_options_write_no_row_in_any_table() throws SQLException {
        Map<String, Long> before = rows();
        assertThat(before).containsKeys("passkey_credential", "passkey_used_challenge", "passkey_user");

        for (int i = 0; i < 300; i++) {
            service.startAuthentication("alice");
            service.startAuthentication("unknown" + i);
            service.startAuthentication();
        }

        assertThat(rows()).isEqualTo(before);
    }

    @Test
    void registration_options_write_the_user_and_nothing_else() throws SQLException {
        Map<String, Long> expected = rows();
        expected.merge("passkey_user", 1L, Long::sum);

        service.startRegistration("bob");
        service.startRegistration("bob");

        assertThat(rows()).isEqualTo(expected);
    }

    @Test
    void a_response_to_an_unknown_challenge_writes_nothing() throws SQLException {
        Map<String, Long> before = rows();
        String foreign = PasskeyService.builder(Stage.config(), pool)
                .sealedChallenges("another key, of thirty-two bytes".getBytes(UTF_8))
                .clock(stage.clock)
                .build()
                .startAuthentication("alice")
                .challenge();

        assertRefused(
                service.finishAuthentication("alice", passkey.respond(foreign, UP, 1, null)), Step.CHALLENGE_KNOWN);
        assertRefused(service.finishAuthentication("alice", "{}"), Step.RESPONSE);

        assertThat(rows()).isEqualTo(before);
    }

    @Test
    void an_expired_challenge_is_refused_and_writes_nothing() throws SQLException {
        Map<String, Long> before = rows();
        String response = passkey.respond(service.startAuthentication("alice"), UP, 1);
        stage.clock.advance(Duration.ofMinutes(5));

        assertRefused(service.finishAuthentication("alice", response), Step.CHALLENGE_IN_TIME);

        assertThat(rows()).isEqualTo(before);
    }

    /** The time is read once per response, so an accepted challenge is always marked as used. */
    @Test
    void a_challenge_that_expires_during_verification_works_once() {
        var ticking = new Clock() {
            private final AtomicInteger readings = new AtomicInteger();

            @Override
            public Instant instant() {
                return stage.clock.instant().plusMillis(readings.getAndIncrement());
            }

            @Override
            public java.time.ZoneId getZone() {
                return stage.clock.getZone();
            }

            @Override
            public Clock withZone(java.time.ZoneId zone) {
                throw new UnsupportedOperationException();
            }
        };
        String response = passkey.respond(service.startAuthentication("alice"), UP, 0);
        stage.clock.advance(Duration.ofMinutes(5).minusMillis(1));
        PasskeyService late = PasskeyService.builder(Stage.config(), pool)
                .sealedChallenges(Stage.KEY)
                .clock(ticking)
                .build();

        assertThat(late.finishAuthentication("alice", response).verified()).isTrue();

        assertRefused(service.finishAuthentication("alice", response), Step.CHALLENGE_KNOWN);
    }

    @Test
    void a_failed_attempt_uses_the_challenge() {
        String challenge = service.startAuthentication("alice").challenge();
        String wrong = new HandmadePasskey("sealed").respond(challenge, UP, 1, null);

        assertRefused(service.finishAuthentication("alice", wrong), Step.SIGNATURE);

        assertRefused(
                service.finishAuthentication("alice", passkey.respond(challenge, UP, 1, null)), Step.CHALLENGE_KNOWN);
        assertRefused(service.finishAuthentication("alice", wrong), Step.CHALLENGE_KNOWN);
    }

    @Test
    void an_earlier_refusal_is_reported_even_if_the_challenge_was_used() {
        var browser = Stage.browser();
        stage.register("carol", browser);
        String options = service.startAuthentication("carol").toJson();
        assertThat(service.finishAuthentication("carol", browser.get(options)).verified())
                .isTrue();

        String mutation =
                browser.get(options, ChallengeLifeTest.mutation(CeremonyType.AUTHENTICATION, "origin-of-another-site"));
        assertRefused(service.finishAuthentication("carol", mutation), Step.ORIGIN);
    }

    @Test
    void one_of_several_concurrent_valid_and_invalid_responses_counts() {
        var liar = new HandmadePasskey("sealed");
        try (var race = new Race(16)) {
            for (int round = 0; round < 50; round++) {
                String challenge = service.startAuthentication("alice").challenge();
                List<String> responses =
                        List.of(passkey.respond(challenge, UP, 0, null), liar.respond(challenge, UP, 0, null));
                var turn = new AtomicInteger();

                List<AuthenticationResult> results = race.run(
                        () -> service.finishAuthentication("alice", responses.get(turn.getAndIncrement() % 2)));

                assertThat(results)
                        .as("round %d", round)
                        .filteredOn(result -> !(result instanceof AuthenticationResult.Refused refused
                                && refused.step() == Step.CHALLENGE_KNOWN))
                        .hasSize(1);
            }
        }
    }

    @Test
    void one_of_two_registrations_with_one_challenge_is_stored() {
        String options = service.startRegistration("bob").toJson();
        Map<Step, Integer> refusals = new ConcurrentHashMap<>();
        try (var race = new Race(8)) {
            List<RegistrationResult> results = race.run(
                    () -> service.finishRegistration("bob", Stage.browser().create(options)));
            results.stream()
                    .filter(RegistrationResult.Refused.class::isInstance)
                    .forEach(result -> refusals.merge(((RegistrationResult.Refused) result).step(), 1, Integer::sum));
        }

        assertThat(refusals).isEqualTo(Map.of(Step.CHALLENGE_KNOWN, 7));
        assertThat(service.passkeys("bob")).hasSize(1);
    }

    @Test
    void a_registration_above_the_limit_uses_its_challenge() {
        stage.configure(config -> config.maxPasskeysPerUser(1));
        String options = stage.service.startRegistration("alice").toJson();

        assertRefused(
                stage.service.finishRegistration("alice", Stage.browser().create(options)), Step.CREDENTIAL_LIMIT);

        assertRefused(stage.service.finishRegistration("alice", Stage.browser().create(options)), Step.CHALLENGE_KNOWN);
        assertThat(passkeys.list("alice")).hasSize(1);
    }

    @Test
    void a_login_racing_the_removal_of_its_passkey_is_refused() {
        for (SignCountPolicy policy : SignCountPolicy.values()) {
            String response = passkey.respond(service.startAuthentication("alice"), UP, 1);

            AuthenticationResult result = justBeforeTheCommit(policy, () -> passkeys.remove("alice", passkey.id, true))
                    .finishAuthentication("alice", response);

            assertThat(result)
                    .isEqualTo(new AuthenticationResult.Refused(Step.CREDENTIAL_KNOWN, "removed during the login"));
            passkeys.add(passkey.recordOf("alice", 0), 20);
            assertRefused(service.finishAuthentication("alice", response), Step.CHALLENGE_KNOWN);
        }
    }

    @Test
    void a_login_whose_count_was_used_concurrently_is_refused_or_flagged() {
        Runnable another = () -> passkeys.advance(passkey.id, new Use(9, Instant.EPOCH, false, false));

        AuthenticationResult refused = justBeforeTheCommit(SignCountPolicy.REJECT, another)
                .finishAuthentication("alice", passkey.respond(service.startAuthentication("alice"), UP, 5));
        assertRefused(refused, Step.SIGN_COUNT);

        sql.update("UPDATE passkey_credential SET sign_count = 0");
        AuthenticationResult flagged = justBeforeTheCommit(SignCountPolicy.FLAG, another)
                .finishAuthentication("alice", passkey.respond(service.startAuthentication("alice"), UP, 5));
        assertThat(((AuthenticationResult.Verified) flagged).signCountRegressed())
                .isTrue();
        assertThat(passkeys.find(passkey.id).signCount()).isEqualTo(9);
    }

    @Test
    void a_failed_commit_accepts_and_writes_nothing() throws SQLException {
        String response = passkey.respond(service.startAuthentication("alice"), UP, 1);
        Map<String, Long> before = rows();
        PasskeyService interrupted = justBeforeTheCommit(
                SignCountPolicy.AUTO, () -> sql.update("ALTER TABLE passkey_credential RENAME TO away"));

        assertThatThrownBy(() -> interrupted.finishAuthentication("alice", response))
                .isInstanceOf(StorageException.class);

        sql.update("ALTER TABLE away RENAME TO passkey_credential");
        assertThat(rows()).as("the challenge is not used either").isEqualTo(before);
        assertThat(service.finishAuthentication("alice", response).verified()).isTrue();
    }

    @Test
    void a_missing_table_of_used_challenges_fails_closed() {
        String response = passkey.respond(service.startAuthentication("alice"), UP, 1);
        sql.update("DROP TABLE passkey_used_challenge");

        assertThatThrownBy(() -> service.finishAuthentication("alice", response))
                .isInstanceOf(StorageException.class);
        assertThat(passkeys.find(passkey.id).details().lastUsedAt()).isNull();
    }

    @Test
    void used_challenges_can_be_stored_elsewhere() throws SQLException {
        Map<String, Long> used = new ConcurrentHashMap<>();
        stage.with(parts -> parts.usedChallenges((id, expiresAt) -> used.put(id, expiresAt) == null));
        String response = passkey.respond(stage.service.startAuthentication("alice"), UP, 1);

        assertThat(stage.service.finishAuthentication("alice", response).verified())
                .isTrue();
        assertRefused(stage.service.finishAuthentication("alice", response), Step.CHALLENGE_KNOWN);

        assertThat(used).hasSize(1).containsValue(stage.clock.millis() + 300_000);
        assertThat(rows()).containsEntry("passkey_used_challenge", 0L);
    }

    @Test
    void used_challenges_are_stored_in_the_database_of_a_given_store() throws SQLException {
        try (HikariDataSource elsewhere = TestDatabase.SQLITE.fresh()) {
            PasskeyService other = PasskeyService.builder(Stage.config(), elsewhere)
                    .credentialStore(passkeys)
                    .sealedChallenges(Stage.KEY)
                    .build();

            String response = passkey.respond(other.startAuthentication("alice"), UP, 1);
            assertThat(other.finishAuthentication("alice", response).verified()).isTrue();

            assertThat(rows()).containsEntry("passkey_used_challenge", 1L);
        }
    }

    @Test
    void two_instances_without_a_key_share_one_in_the_database() throws SQLException {
        PasskeyService one = PasskeyService.builder(Stage.config(), pool).build();
        PasskeyService two = PasskeyService.builder(Stage.config(), pool).build();

        String response = passkey.respond(one.startAuthentication("alice"), UP, 1);
        assertThat(two.finishAuthentication("alice", response).verified()).isTrue();
        assertRefused(one.finishAuthentication("alice", response), Step.CHALLENGE_KNOWN);
        assertThat(one.startAuthentication("unknown").allowCredentials())
                .as("decoys")
                .isEqualTo(two.startAuthentication("unknown").allowCredentials());
        assertThat(rows()).containsEntry("passkey_secret", 1L);
    }

    @Test
    void a_service_can_be_built_before_its_tables_exist() {
        try (HikariDataSource empty = database.fresh()) {
            PasskeyService early = PasskeyService.builder(Stage.config(), empty).build();
            assertThatThrownBy(early::startAuthentication).isInstanceOf(StorageException.class);

            Migration.run(empty);

            assertThat(early.startAuthentication().challenge()).hasSize(56);
        }
    }

    @Test
    void decoys_depend_on_the_key_without_revealing_it() {
        PasskeyService same = PasskeyService.builder(Stage.config(), pool)
                .sealedChallenges(Stage.KEY)
                .build();
        PasskeyService given = PasskeyService.builder(Stage.config(), pool)
                .sealedChallenges(Stage.KEY)
                .decoyKey(Stage.KEY)
                .build();
        PasskeyService rotated = PasskeyService.builder(Stage.config(), pool)
                .sealedChallenges("another key, of thirty-two bytes".getBytes(UTF_8), Stage.KEY)
                .build();
        List<CredentialDescriptor> decoys = same.startAuthentication("unknown").allowCredentials();

        assertThat(PasskeyService.builder(Stage.config(), pool)
                        .sealedChallenges(Stage.KEY)
                        .build()
                        .startAuthentication("unknown")
                        .allowCredentials())
                .isEqualTo(decoys);
        assertThat(given.startAuthentication("unknown").allowCredentials()).isNotEqualTo(decoys);
        assertThat(rotated.startAuthentication("unknown").allowCredentials()).isNotEqualTo(decoys);
    }

    @Test
    void a_short_key_and_a_key_with_a_store_are_refused() {
        PasskeyServiceBuilder sealing = PasskeyService.builder(Stage.config(), pool);
        assertThatThrownBy(() -> sealing.sealedChallenges(new byte[31])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sealing.sealedChallenges(new byte[32], new byte[31]))
                .isInstanceOf(IllegalArgumentException.class);

        PasskeyServiceBuilder storing = PasskeyService.builder(Stage.config(), pool, new MemoryChallengeStore());
        assertThatThrownBy(() -> storing.sealedChallenges(new byte[32])).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> storing.usedChallenges((id, expiresAt) -> true))
                .isInstanceOf(IllegalStateException.class);
    }

    /** Returns a service that runs an action after the last step of a login and before the commit. */
    private PasskeyService justBeforeTheCommit(SignCountPolicy policy, Runnable action) {
        return Stage.on(pool, null)
                .listen(config -> config.signCountPolicy(policy), new CeremonyListener() {
                    @Override
                    public void checked(Operation operation, StepResult step) {
                        if (step.step() == Step.SIGN_COUNT) {
                            action.run();
                        }
                    }
                })
                .service;
    }

    /** The number of rows of each table, except that of decoys, which has one row whatever is requested. */
    private Map<String, Long> rows() throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Connection connection = pool.getConnection();
                ResultSet found = connection
                        .getMetaData()
                        .getTables(connection.getCatalog(), null, "%", new String[] {"TABLE"})) {
            while (found.next()) {
                tables.add(found.getString("TABLE_NAME"));
            }
        }
        Map<String, Long> rows = new TreeMap<>();
        for (String table : tables) {
            rows.put(
                    table,
                    sql.query("SELECT COUNT(*) FROM " + table, row -> row.getLong(1))
                            .get(0));
        }
        rows.remove("passkey_decoy");
        return rows;
    }
}
