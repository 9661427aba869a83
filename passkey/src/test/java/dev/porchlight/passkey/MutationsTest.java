// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.testkit.AttestationFormat;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.tamper.Precondition;
import dev.porchlight.testkit.wire.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All mutations of the testkit, sent to the complete service. */
@Tag("slow")
class MutationsTest {
    /** Steps that a mutation cannot trigger: they depend on time, another ceremony, a limit or the database. Each has its own test. */
    private static final Set<Step> NOT_BY_A_MUTATION = EnumSet.of(
            Step.CHALLENGE_IN_TIME,
            Step.CHALLENGE_PURPOSE,
            Step.AUTHENTICATOR_ALLOWED,
            Step.CREDENTIAL_LIMIT,
            Step.ROW_INTEGRITY,
            Step.USER_UNLOCKED);

    /** Steps that an explanation does not repeat: they depend on a key of the service, on a policy, or on the application. */
    private static final Set<Step> NOT_REPLAYED =
            EnumSet.of(Step.AUTHENTICATOR_ALLOWED, Step.ROW_INTEGRITY, Step.USER_UNLOCKED);

    /** Mutations with another challenge, or whose challenge cannot be found. */
    private static final Set<String> WITHOUT_ITS_CHALLENGE = Set.of(
            "challenge-cut-short",
            "challenge-empty",
            "challenge-encoded-twice",
            "challenge-extended",
            "challenge-live-beside-an-earlier-one",
            "challenge-missing",
            "challenge-never-issued",
            "challenge-not-a-string",
            "challenge-of-an-earlier-ceremony",
            "challenge-padded",
            "challenge-twice",
            "challenge-with-stray-bits",
            "client-data-absent",
            "client-data-after-two-byte-order-marks",
            "client-data-as-an-object",
            "client-data-as-text",
            "client-data-empty",
            "client-data-in-a-list",
            "client-data-in-single-quotes",
            "client-data-in-utf-16",
            "client-data-member-null",
            "client-data-not-json",
            "client-data-null",
            "client-data-of-64-kilobytes",
            "client-data-with-a-comment",
            "body-empty",
            "body-in-a-list",
            "body-not-json",
            "response-absent",
            "response-not-an-object",
            "response-null");

    private static HikariDataSource database;
    private static int users;

    private String user = "user" + ++users;
    private SoftBrowser browser;
    private Stage stage;
    private String issued;

    @BeforeAll
    static void migrate() {
        database = TestDatabase.SQLITE.fresh();
        Migration.run(database);
    }

    @AfterAll
    static void close() {
        database.close();
    }

    static Stream<Mutation> invalid() {
        return Mutations.all().stream().filter(mutation -> !mutation.valid());
    }

    static Stream<Mutation> valid() {
        return Mutations.all().stream().filter(Mutation::valid);
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void an_invalid_mutation_is_refused_at_its_step_and_uses_its_challenge(Mutation mutation) {
        PasskeyService service = prepare(mutation);
        List<CredentialRecord> before = service.passkeys(user);

        Object result = send(mutation, service);

        assertThat(result)
                .as(mutation.description())
                .extracting(MutationsTest::step)
                .as(mutation.description())
                .isEqualTo(ExpectedStep.of(mutation));
        assertThat(service.passkeys(user)).isEqualTo(before);
        boolean used = stage.isUsed(mutation.ceremony() == CeremonyType.USERNAMELESS ? null : user, issued); // T03
        assertThat(used).as(mutation.description()).isNotEqualTo(WITHOUT_ITS_CHALLENGE.contains(mutation.name()));
    }

    @ParameterizedTest
    @MethodSource("valid")
    void a_valid_mutation_is_accepted(Mutation mutation) {
        Object result = send(mutation, prepare(mutation));

        assertThat(result)
                .as(mutation.description())
                .isInstanceOfAny(RegistrationResult.Registered.class, AuthenticationResult.Verified.class);
    }

    @Test
    void every_step_is_covered_by_a_mutation_or_another_test() {
        Set<Step> refused =
                invalid().map(ExpectedStep::of).collect(Collectors.toCollection(() -> EnumSet.noneOf(Step.class)));
        refused.addAll(NOT_BY_A_MUTATION);

        assertThat(refused).containsExactlyInAnyOrder(Step.values());
    }

    /** The texts of all steps that pass and of all that refuse, as an operator reads them. */
    @Test
    void every_step_has_a_true_text_for_passing_and_for_refusing() {
        Map<Step, Set<String>> passing = new EnumMap<>(Step.class);
        Map<Step, Set<String>> refusing = new EnumMap<>(Step.class);
        Map<String, Mutation> oneOfEach = new LinkedHashMap<>();
        invalid().forEach(one -> oneOfEach.putIfAbsent(one.ceremony() + " " + ExpectedStep.of(one), one));
        List<StepResult> all = new ArrayList<>();
        for (Mutation mutation : oneOfEach.values()) {
            user = "user" + ++users;
            prepare(mutation);
            all.addAll(explain(mutation));
        }
        all.addAll(explainOtherSteps());
        for (StepResult result : all) {
            assertThat(result.found()).as(result.toString()).isNotBlank();
            (result.passed() ? passing : refusing)
                    .computeIfAbsent(result.step(), step -> new HashSet<>())
                    .add(result.expected() + " / " + result.found());
        }

        Set<Step> explained = EnumSet.allOf(Step.class);
        explained.removeAll(NOT_REPLAYED);
        assertThat(passing.keySet()).isEqualTo(explained);
        assertThat(refusing.keySet()).isEqualTo(explained);
        for (Step step : explained) {
            assertThat(passing.get(step)).as(step.code()).doesNotContainAnyElementsOf(refusing.get(step));
        }
    }

    private List<StepResult> explain(Mutation mutation) {
        return switch (mutation.ceremony()) {
            case REGISTRATION -> {
                String options = stage.service.startRegistration(user).toJson();
                yield stage.explainer().registration(browser.create(options, mutation), challenge(options), user);
            }
            case AUTHENTICATION -> {
                String options = stage.service.startAuthentication(user).toJson();
                yield stage.explainer().login(browser.get(options, mutation), challenge(options), user, false);
            }
            case USERNAMELESS -> {
                String options = stage.service.startAuthentication().toJson();
                yield stage.explainer().login(browser.get(options, mutation), challenge(options), null, false);
            }
        };
    }

    /** Steps that no mutation triggers: a challenge that is late or of another ceremony, and the limit of passkeys. */
    private List<StepResult> explainOtherSteps() {
        List<StepResult> all = new ArrayList<>();
        stage = Stage.on(database, null).listen(config -> config.maxPasskeysPerUser(1), new CeremonyListener() {
            @Override
            public void checked(Operation operation, StepResult step) {
                if (!step.passed()) {
                    all.add(step);
                }
            }
        });
        browser = Stage.browser();
        stage.register("limited", browser);
        String late = stage.service.startAuthentication("limited").toJson();
        stage.clock.advance(Duration.ofHours(1));
        stage.service.finishAuthentication("limited", browser.get(late));
        String discovery = stage.service.startAuthentication().toJson();
        all.addAll(stage.explainer().login(browser.get(discovery), challenge(discovery), "limited", false));
        SoftBrowser other = Stage.browser();
        String options = stage.service.startRegistration("limited").toJson();
        all.addAll(stage.explainer().registration(other.create(options), challenge(options), "limited"));
        return all;
    }

    private static String challenge(String options) {
        return JsonObject.parse(options).string("challenge");
    }

    private PasskeyService prepare(Mutation mutation) {
        Set<Precondition> preconditions = mutation.preconditions();
        boolean attested = preconditions.contains(Precondition.ATTESTATION_TRUSTED);
        stage = Stage.on(database, null).configure(config -> attested ? trustingTheKit(config) : config);
        if (preconditions.contains(Precondition.USER_VERIFICATION_REQUIRED)) {
            stage.configure(config -> config.userVerification(UserVerification.REQUIRED));
        }
        if (preconditions.contains(Precondition.RS256_OFFERED)) {
            stage.configure(config -> config.algorithms(List.of(CredentialAlgorithm.ES256, CredentialAlgorithm.RS256)));
        }
        boolean eligible = preconditions.contains(Precondition.BACKUP_ELIGIBLE);
        browser = Stage.browser(SoftAuthenticator.builder()
                .attestation(attested ? AttestationFormat.PACKED : AttestationFormat.NONE)
                .backup(eligible, eligible)
                .build());
        if (preconditions.contains(Precondition.ANOTHER_USER)) {
            stage.register("stranger to " + user, browser);
        }
        browser.picks(user);
        boolean earlier =
                preconditions.contains(Precondition.EARLIER_CEREMONY) || preconditions.contains(Precondition.COUNTED);
        switch (mutation.ceremony()) {
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

    private Object send(Mutation mutation, PasskeyService service) {
        return switch (mutation.ceremony()) {
            case REGISTRATION -> {
                CreationOptions options = service.startRegistration(user);
                issued = options.challenge();
                yield service.finishRegistration(user, browser.create(options.toJson(), mutation));
            }
            case AUTHENTICATION -> {
                RequestOptions options = service.startAuthentication(user);
                issued = options.challenge();
                yield service.finishAuthentication(user, browser.get(options.toJson(), mutation));
            }
            case USERNAMELESS -> {
                RequestOptions options = service.startAuthentication();
                issued = options.challenge();
                yield service.finishAuthentication(browser.get(options.toJson(), mutation));
            }
        };
    }

    private static PasskeyConfig.Builder trustingTheKit(PasskeyConfig.Builder config) {
        return config.attestation(AttestationPolicy.REQUIRE_TRUSTED, List.of(SoftAuthenticator.attestationRoot()));
    }

    private static Step step(Object result) {
        if (result instanceof RegistrationResult.Refused refused) {
            return refused.step();
        }
        return result instanceof AuthenticationResult.Refused refused ? refused.step() : null;
    }
}
