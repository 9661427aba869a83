// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.passkey.attestation.AttestationPolicy;
import dev.porchlight.passkey.attestation.TrustAnchors;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.passkey.verify.UserVerification;
import dev.porchlight.testkit.AttestationFormat;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.tamper.Lie;
import dev.porchlight.testkit.tamper.Premise;
import dev.porchlight.testkit.tamper.Tamper;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each of the kit's lies, told to the whole service: refused by the right step, and nothing is stored. */
class LiesTest {
    /** Those no single lie can provoke: they need time, another ceremony, or a full house. Each has a test of its own. */
    private static final Set<Step> NOT_BY_A_LIE =
            EnumSet.of(Step.CHALLENGE_EXPIRED, Step.WRONG_CEREMONY, Step.TOO_MANY_CREDENTIALS);

    private static HikariDataSource database;
    private static int users;

    private final String user = "user" + ++users;
    private SoftBrowser browser;

    @BeforeAll
    static void migrate() {
        database = TestDatabase.SQLITE.fresh();
        Migration.run(database);
    }

    @AfterAll
    static void close() {
        database.close();
    }

    static Stream<Lie> lies() {
        return Tamper.all().stream().filter(lie -> !lie.truthful());
    }

    static Stream<Lie> oddities() {
        return Tamper.all().stream().filter(Lie::truthful);
    }

    @ParameterizedTest
    @MethodSource("lies")
    void refuses_a_lie_at_the_step_it_is_aimed_at_and_stores_nothing(Lie lie) {
        PasskeyService service = prepare(lie);
        List<CredentialRecord> before = service.passkeys(user);

        Object result = tell(lie, service);

        assertThat(result)
                .as(lie.sentence())
                .extracting(LiesTest::step)
                .as(lie.sentence())
                .isEqualTo(ExpectedStep.of(lie));
        assertThat(service.passkeys(user)).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("oddities")
    void accepts_what_only_looks_like_a_lie(Lie oddity) {
        Object result = tell(oddity, prepare(oddity));

        assertThat(result)
                .as(oddity.sentence())
                .isInstanceOfAny(RegistrationResult.Registered.class, AuthenticationResult.Verified.class);
    }

    @Test
    void every_step_is_what_some_lie_comes_to_or_has_a_test_of_its_own() {
        Set<Step> refused =
                lies().map(ExpectedStep::of).collect(Collectors.toCollection(() -> EnumSet.noneOf(Step.class)));
        refused.addAll(NOT_BY_A_LIE);

        assertThat(refused).containsExactlyInAnyOrder(Step.values());
    }

    private PasskeyService prepare(Lie lie) {
        Set<Premise> premises = lie.premises();
        boolean attested = premises.contains(Premise.ATTESTATION_TRUSTED);
        Stage stage = Stage.on(database, null).configure(config -> attested ? trustingTheKit(config) : config);
        if (premises.contains(Premise.USER_VERIFICATION_REQUIRED)) {
            stage.configure(config -> config.withUserVerification(UserVerification.REQUIRED));
        }
        boolean eligible = premises.contains(Premise.BACKUP_ELIGIBLE);
        browser = Stage.browser(SoftAuthenticator.builder()
                .attestation(attested ? AttestationFormat.PACKED : AttestationFormat.NONE)
                .backup(eligible, eligible)
                .build());
        if (premises.contains(Premise.ANOTHER_USER)) {
            stage.register("stranger to " + user, browser);
        }
        browser.picks(user);
        boolean earlier = premises.contains(Premise.EARLIER_CEREMONY) || premises.contains(Premise.COUNTED);
        switch (lie.ceremony()) {
            case REGISTRATION -> {
                if (earlier) {
                    stage.register("predecessor of " + user, browser);
                }
            }
            case AUTHENTICATION, USERNAMELESS -> {
                stage.register(user, browser);
                if (earlier) {
                    stage.signIn(user, browser);
                }
            }
        }
        return stage.service;
    }

    private Object tell(Lie lie, PasskeyService service) {
        return switch (lie.ceremony()) {
            case REGISTRATION ->
                service.finishRegistration(
                        user, browser.create(service.startRegistration(user).toJson(), lie));
            case AUTHENTICATION ->
                service.finishAuthentication(
                        user, browser.get(service.startAuthentication(user).toJson(), lie));
            case USERNAMELESS ->
                service.finishAuthentication(
                        browser.get(service.startAuthentication().toJson(), lie));
        };
    }

    private static PasskeyConfig trustingTheKit(PasskeyConfig config) {
        return config.withAttestation(
                AttestationPolicy.REQUIRE_TRUSTED, TrustAnchors.of(List.of(SoftAuthenticator.attestationRoot())));
    }

    private static Step step(Object result) {
        if (result instanceof RegistrationResult.Refused refused) {
            return refused.step();
        }
        return result instanceof AuthenticationResult.Refused refused ? refused.step() : null;
    }
}
