// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static dev.porchlight.passkey.HandmadePasskey.BE;
import static dev.porchlight.passkey.HandmadePasskey.BS;
import static dev.porchlight.passkey.HandmadePasskey.UP;
import static dev.porchlight.passkey.HandmadePasskey.UV;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialRecord.Flags;
import dev.porchlight.passkey.store.SqlCredentialStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All combinations of flags and sign counts. */
class FlagsAndCountsTest {
    private static final long MAX = 0xffff_ffffL;

    private static DataSource database;
    private static int passkeys;

    private final String user = "user" + ++passkeys;
    private final HandmadePasskey passkey = new HandmadePasskey(user);
    private final List<String> heard = new ArrayList<>();
    private Stage stage;

    @BeforeAll
    static void migrate() {
        database = Stage.on(TestDatabase.SQLITE).database;
    }

    @BeforeEach
    void open() {
        stage = Stage.on(database, null);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, true",
        "0, 1, true",
        "0, 4294967295, true",
        "1, 2, true",
        "5, 6, true",
        "5, 100, true",
        "2147483647, 2147483648, true",
        "4294967294, 4294967295, true",
        "1, 0, false",
        "1, 1, false",
        "5, 5, false",
        "5, 4, false",
        "5, 0, false",
        "2147483648, 1, false",
        "4294967295, 4294967295, false",
        "4294967295, 0, false"
    })
    void a_sign_count_grows_or_stays_zero(long stored, long presented, boolean grows) { // T35
        store(passkey.recordOf(user, stored));

        AuthenticationResult result = signIn(UP, presented);

        assertThat(step(result)).isEqualTo(grows ? null : Step.SIGN_COUNT);
        assertThat(row().signCount()).isEqualTo(grows ? presented : stored);
        assertThat(row().details().lastUsedAt()).isEqualTo(grows ? stage.clock.instant() : null);
    }

    @ParameterizedTest
    @CsvSource({"5, 5", "5, 4", "5, 0", "4294967295, 1"})
    void the_flag_policy_flags_a_count_that_does_not_grow(long stored, long presented) { // T35
        store(passkey.recordOf(user, stored));
        stage = withListener(config -> config.signCountPolicy(SignCountPolicy.FLAG));

        AuthenticationResult result = signIn(UP, presented);

        assertThat(result).isInstanceOf(AuthenticationResult.Verified.class);
        assertThat(((AuthenticationResult.Verified) result).signCountRegressed())
                .isTrue();
        assertThat(row().signCount()).isEqualTo(stored);
        assertThat(row().details().lastUsedAt()).isEqualTo(stage.clock.instant());
        assertThat(heard).containsExactly("regressed");
    }

    @ParameterizedTest
    @CsvSource({
        // policy, stored BE, presented BE, whether a count that does not grow is refused
        "AUTO, 1, 1, false",
        "AUTO, 0, 0, true",
        "AUTO, 0, 1, true",
        "AUTO, , 1, false",
        "AUTO, , 0, true",
        "REJECT, 1, 1, true",
        "FLAG, 0, 0, false"
    })
    void policy_and_backup_eligibility_decide_on_a_count_that_does_not_grow(
            SignCountPolicy policy, Integer stored, int presented, boolean refused) {
        store(backup(passkey.recordOf(user, 5), stored == null ? null : stored == 1));
        stage = withListener(config -> config.signCountPolicy(policy));

        AuthenticationResult result = signIn(UP | presented * BE, 5);

        assertThat(step(result)).isEqualTo(refused ? Step.SIGN_COUNT : null);
        assertThat(heard).isEqualTo(refused ? List.of() : List.of("regressed"));
    }

    @ParameterizedTest
    @CsvSource({"true, true, ", "true, false, backed up: false", "false, true, backed up: true", ", true, "})
    void a_change_of_the_backup_state_is_reported_once(Boolean before, boolean now, String event) {
        store(passkey.recordOf(user, 5).withFlags(new Flags(true, before, null, null, null)));
        stage = withListener(config -> config);

        signIn(UP | BE | (now ? BS : 0), 6);
        assertThat(heard).isEqualTo(event == null ? List.of() : List.of(event));
        signIn(UP | BE | (now ? BS : 0), 7);
        assertThat(heard).hasSizeLessThan(2);
    }

    @Test
    void the_default_policy_depends_on_the_passkey() {
        assertThat(Stage.config().signCountPolicy()).isEqualTo(SignCountPolicy.AUTO);
    }

    @Test
    void a_count_that_grows_is_not_flagged() {
        store(passkey.recordOf(user, MAX - 1));
        stage = withListener(config -> config.signCountPolicy(SignCountPolicy.FLAG));

        assertThat(((AuthenticationResult.Verified) signIn(UP, MAX)).signCountRegressed())
                .isFalse();
        assertThat(heard).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        // stored BE, presented BE and BS, expected refusal
        "    , 0, 0, ", "    , 1, 0, ", "    , 1, 1, ", "    , 0, 1, BACKUP_STATE",
        "   0, 0, 0, ", "   0, 1, 0, ", "   0, 1, 1, ", "   0, 0, 1, BACKUP_STATE",
        "   1, 0, 0, BACKUP_ELIGIBILITY", "   1, 1, 0, ", "   1, 1, 1, ", "   1, 0, 1, BACKUP_STATE"
    })
    void backup_flags_must_be_consistent_with_each_other_and_the_stored_flag(
            Integer stored, int be, int bs, Step refused) { // T36
        Boolean eligible = stored == null ? null : stored == 1;
        store(backup(passkey.recordOf(user, 0), eligible));
        stage = withListener(config -> config);

        AuthenticationResult result = signIn(UP | be * BE | bs * BS, 1);

        assertThat(step(result)).isEqualTo(refused);
        assertThat(row().backupEligible()).isEqualTo(refused == null ? Boolean.valueOf(be == 1) : eligible);
        assertThat(row().flags().backedUp()).isEqualTo(refused == null && bs == 1);
        boolean gained = refused == null && stored != null && stored == 0 && be == 1;
        assertThat(heard.contains("eligible")).isEqualTo(gained);
    }

    @ParameterizedTest
    @CsvSource({
        // policy, required at registration, presented UV, expected refusal
        "REQUIRED, , 0, USER_VERIFIED",
        "REQUIRED, , 1, ",
        "REQUIRED, 0, 0, USER_VERIFIED",
        "PREFERRED, , 0, ",
        "PREFERRED, 0, 0, ",
        "PREFERRED, 1, 0, USER_VERIFIED",
        "PREFERRED, 1, 1, ",
        "DISCOURAGED, 1, 0, USER_VERIFIED",
        "DISCOURAGED, , 0, ",
        "DISCOURAGED, 0, 1, "
    })
    void required_user_verification_stays_required(
            UserVerification policy, Integer required, int uv, Step refused) { // T24
        Boolean verification = required == null ? null : required == 1;
        store(passkey.recordOf(user, 0).withFlags(new Flags(null, null, true, verification, null)));
        stage.configure(config -> config.userVerification(policy));

        assertThat(step(signIn(UP | uv * UV, 1))).isEqualTo(refused);
    }

    @ParameterizedTest
    @CsvSource({"0x00", "0x04", "0x1c"})
    void user_presence_is_always_required(String flags) { // T23
        store(passkey.recordOf(user, 0));

        assertThat(step(signIn(Integer.decode(flags), 1))).isEqualTo(Step.USER_PRESENT);
    }

    @Test
    void reserved_flags_are_ignored() { // T34
        store(passkey.recordOf(user, 0));

        assertThat(step(signIn(UP | 0x02 | 0x20, 1))).isNull();
    }

    @Test
    void a_registration_stores_the_verification_requirement() { // T24
        stage.configure(config -> config.userVerification(UserVerification.REQUIRED));
        CredentialRecord required = stage.register(user, Stage.browser());
        stage.configure(config -> config);
        CredentialRecord free = stage.register(user, Stage.browser());

        assertThat(required.verificationRequired()).isTrue();
        assertThat(required.flags().userVerified()).isTrue();
        assertThat(free.verificationRequired()).isFalse();
    }

    @Test
    void an_unreadable_stored_key_is_refused() {
        store(CredentialRecord.of(passkey.id, user, "{}", 0, Stage.ORIGIN));

        assertThat(step(signIn(UP, 1))).isEqualTo(Step.PUBLIC_KEY);
    }

    private Stage withListener(UnaryOperator<PasskeyConfig.Builder> change) {
        return Stage.on(database, null).listen(change, new CeremonyListener() {
            @Override
            public void signCountRegressed(VerifiedAssertion assertion) {
                heard.add("regressed");
            }

            @Override
            public void becameBackupEligible(VerifiedAssertion assertion) {
                heard.add("eligible");
            }

            @Override
            public void backupStateChanged(VerifiedAssertion assertion) {
                heard.add("backed up: " + assertion.backedUp());
            }
        });
    }

    private AuthenticationResult signIn(int flags, long signCount) {
        RequestOptions options = stage.service.startAuthentication(user);
        return stage.service.finishAuthentication(user, passkey.respond(options, flags, signCount));
    }

    private static CredentialRecord backup(CredentialRecord credential, Boolean eligible) {
        return credential.withFlags(new Flags(eligible, false, null, null, null));
    }

    private static void store(CredentialRecord credential) {
        new SqlCredentialStore(database).add(credential, 20);
    }

    private CredentialRecord row() {
        return new SqlCredentialStore(database).find(passkey.id);
    }

    private static Step step(AuthenticationResult result) {
        return result instanceof AuthenticationResult.Refused refused ? refused.step() : null;
    }
}
