// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static dev.porchlight.passkey.ChallengeLifeTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.Hmac;
import dev.porchlight.passkey.cose.KeyType;
import dev.porchlight.passkey.cose.NativeProvider;
import dev.porchlight.passkey.decoy.DecoyChange;
import dev.porchlight.passkey.decoy.DecoyTable;
import dev.porchlight.passkey.decoy.DecoyTables;
import dev.porchlight.passkey.decoy.Decoys;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.PasskeyShapes;
import dev.porchlight.testkit.AttestationFormat;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutations;
import java.security.Provider;
import java.security.Security;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole ceremonies with the keys of every algorithm, and the kinds of keys of decoys. */
@Tag("slow")
class AlgorithmsTest {
    private @Nullable String installed;

    /** ML-DSA keys of the testkit need an installed provider. */
    private void install(CredentialAlgorithm algorithm) {
        Provider provider = NativeProvider.of(algorithm);
        if (provider != null && Security.addProvider(provider) > 0) {
            installed = provider.getName();
        }
    }

    @AfterEach
    void uninstall() {
        if (installed != null) {
            Security.removeProvider(installed);
        }
    }

    static Stream<Arguments> numbers() {
        return Arrays.stream(CredentialAlgorithm.values())
                .flatMap(algorithm ->
                        algorithm.numbers().stream().map(number -> Arguments.of(algorithm, number.intValue())));
    }

    private static Stage allowing(CredentialAlgorithm algorithm) {
        return Stage.on(TestDatabase.SQLITE)
                .configure(config -> config.algorithms(List.of(algorithm, CredentialAlgorithm.ES256)));
    }

    private static SoftBrowser browser(AttestationFormat attestation, int... numbers) {
        return Stage.browser(SoftAuthenticator.builder()
                .algorithms(numbers)
                .attestation(attestation)
                .build());
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void a_passkey_of_each_algorithm_registers_and_signs_in(CredentialAlgorithm algorithm, int number) {
        install(algorithm);
        Stage stage = allowing(algorithm);
        SoftBrowser browser = browser(AttestationFormat.NONE, number);
        CredentialRecord passkey = stage.register("alice", browser);
        assertThat(KeyType.algorithmOf(passkey.publicKey())).isEqualTo(algorithm);
        assertThat(stage.signIn("alice", browser).verified()).isTrue();
        assertThat(stage.signIn(browser).verified()).isTrue();

        String options = stage.service.startAuthentication("alice").toJson();
        String tampered = browser.get(options, Mutations.named(CeremonyType.AUTHENTICATION, "signed-by-another-key"));
        assertRefused(stage.service.finishAuthentication("alice", tampered), Step.SIGNATURE);

        stage.configure(config -> config);
        assertThat(stage.signIn("alice", browser).verified())
                .as("after the algorithm was removed")
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void self_attestation_of_each_algorithm_verifies(CredentialAlgorithm algorithm, int number) {
        install(algorithm);
        Stage stage = allowing(algorithm)
                .configure(config -> config.algorithms(List.of(algorithm, CredentialAlgorithm.ES256))
                        .attestation(AttestationPolicy.ACCEPT_UNTRUSTED, List.of()));
        CredentialRecord passkey = stage.register("alice", browser(AttestationFormat.PACKED_SELF, number));
        assertThat(passkey.authenticator().attestationTrust()).isEqualTo("self_attested");
    }

    /** T27: a fully specified number of ES256 is not offered, so it is refused. */
    @Test
    void T27_numbers_that_were_not_offered_are_refused() {
        Stage stage = Stage.on(TestDatabase.SQLITE);
        String options = stage.service.startRegistration("alice").toJson();
        assertThat(options).contains("\"pubKeyCredParams\":[{\"type\":\"public-key\",\"alg\":-7}]");
        String changed = options.replace("\"alg\":-7", "\"alg\":-9");
        var refused = (RegistrationResult.Refused) stage.service.finishRegistration(
                "alice", browser(AttestationFormat.NONE, -9).create(changed));
        assertThat(refused.step()).isEqualTo(Step.ALGORITHM);
    }

    @ParameterizedTest
    @EnumSource
    void labels_are_unique_and_found(CredentialAlgorithm algorithm) {
        assertThat(CredentialAlgorithm.ofLabel(algorithm.label())).contains(algorithm);
        assertThat(algorithm.numbers())
                .allSatisfy(number -> assertThat(CredentialAlgorithm.of(number)).contains(algorithm));
        assertThat(KeyType.of(algorithm).decoy().algorithm()).isEqualTo(algorithm);
        assertThat(KeyType.of(algorithm).decoy().toJwk().substring(0, KeyType.START_CHARS))
                .satisfies(start -> assertThat(KeyType.algorithmOf(start)).isEqualTo(algorithm));
    }

    @Test
    void an_algorithm_that_neither_jdk_nor_provider_has_is_refused() {
        assertThat(CredentialAlgorithm.ES384.isAvailable(null)).isTrue();
        if (!CredentialAlgorithm.ML_DSA_44.isAvailable(null)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> allowing(CredentialAlgorithm.ML_DSA_44))
                    .withMessage("ML-DSA-44 requires JDK 24 or later, or a security provider that has ML-DSA");
        }
    }

    /** A fixed sample of stored passkeys, with the table that follows it. */
    private record Sample(List<PasskeyShapes.Shape> shapes) implements PasskeyShapes {
        @Override
        public List<Shape> sample(List<String> startingIds, int most) {
            return shapes;
        }

        @Override
        public String saved() {
            DecoyTable table = DecoyTable.of(shapes);
            return new DecoyChange(table, table, 0).text();
        }

        @Override
        public boolean save(@Nullable String expected, String next) {
            return true;
        }
    }

    private static Decoys decoys(CredentialAlgorithm... stored) {
        List<PasskeyShapes.Shape> shapes = Arrays.stream(stored)
                .map(algorithm -> new PasskeyShapes.Shape(32, List.of("usb"), 1, algorithm))
                .toList();
        var tables = new DecoyTables(new Sample(shapes), () -> List.of("a"), Clock.systemUTC(), Runnable::run);
        return new Decoys(() -> Hmac.with(Hmac.key(new byte[32])), tables, 20);
    }

    @Test
    void T42_decoys_have_the_kinds_of_keys_of_the_stored_passkeys() {
        Decoys decoys = decoys(CredentialAlgorithm.ES256, CredentialAlgorithm.ES256, CredentialAlgorithm.RS256);
        Map<CredentialAlgorithm, Integer> drawn = new HashMap<>();
        IntStream.range(0, 300)
                .forEach(i -> drawn.merge(decoys.algorithm(Bytes.ofUtf8("unknown id " + i)), 1, Integer::sum));
        assertThat(drawn).containsOnlyKeys(CredentialAlgorithm.ES256, CredentialAlgorithm.RS256);
        assertThat(drawn.get(CredentialAlgorithm.RS256)).isBetween(60, 140);
        assertThat(decoys(CredentialAlgorithm.ES384).algorithm(Bytes.ofUtf8("any")))
                .isEqualTo(CredentialAlgorithm.ES384);
        assertThat(decoys(CredentialAlgorithm.ES256).algorithm(Bytes.ofUtf8("any")))
                .isEqualTo(CredentialAlgorithm.ES256);
    }

    /** The kind of a decoy in the options is that of its shape, and depends on nothing but its id, like that of a passkey. */
    @Test
    void T42_the_kind_of_key_of_a_decoy_is_stable() {
        Decoys decoys = decoys(CredentialAlgorithm.ES256, CredentialAlgorithm.EDDSA);
        Decoys other = decoys(CredentialAlgorithm.ES256, CredentialAlgorithm.EDDSA);
        Set<CredentialAlgorithm> seen = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            String user = "user" + i;
            for (Decoys.Decoy decoy : decoys.of(user)) {
                CredentialAlgorithm algorithm = DecoyTable.algorithm(decoy.kind());
                assertThat(decoys.algorithm(decoy.id())).isEqualTo(algorithm);
                assertThat(other.algorithm(decoy.id())).isEqualTo(algorithm);
                seen.add(algorithm);
            }
        }
        assertThat(seen).containsExactlyInAnyOrder(CredentialAlgorithm.ES256, CredentialAlgorithm.EDDSA);
    }

    /** Every algorithm is allowed: a refusal costs one signature, of an algorithm that stored passkeys have. */
    @Test
    void T42_a_refusal_verifies_one_signature_whatever_kind_of_key_exists() {
        CredentialAlgorithm[] all = CredentialAlgorithm.values();
        install(CredentialAlgorithm.ML_DSA_44);
        List<CredentialAlgorithm> verified = new ArrayList<>();
        Stage stage = Stage.on(TestDatabase.SQLITE)
                .listen(config -> config.algorithms(List.of(all)), new CeremonyListener() {
                    @Override
                    public void signatureVerified(Operation operation, CredentialAlgorithm algorithm, long nanos) {
                        verified.add(algorithm);
                    }
                });
        for (CredentialAlgorithm algorithm : all) {
            SoftBrowser browser = browser(AttestationFormat.NONE, (int) algorithm.cose());
            stage.register(algorithm.label(), browser);
            String options =
                    stage.service.startAuthentication(algorithm.label()).toJson();
            String other = browser.get(options, Mutations.named(CeremonyType.AUTHENTICATION, "signed-by-another-key"));
            assertRefused(stage.service.finishAuthentication(algorithm.label(), other), Step.SIGNATURE);
        }
        assertThat(verified).containsExactly(all);

        stage.clock.advance(Duration.ofHours(1));
        stage.service.refreshDecoys();
        stage.clock.advance(Duration.ofMillis(DecoyTables.ANNOUNCED_MILLIS));
        verified.clear();
        for (int i = 0; i < 120; i++) {
            var unknown = new HandmadePasskey("unknown" + i);
            String user = i % 2 == 0 ? null : "user" + i;
            RequestOptions options =
                    user == null ? stage.service.startAuthentication() : stage.service.startAuthentication(user);
            String response = unknown.respond(options, HandmadePasskey.UP, 1);
            AuthenticationResult result = user == null
                    ? stage.service.finishAuthentication(response)
                    : stage.service.finishAuthentication(user, response);
            assertRefused(result, Step.CREDENTIAL_KNOWN);
        }
        assertThat(verified).hasSize(120).contains(all);
    }

    @Test
    void transports_with_dots_do_not_change_the_algorithm() {
        assertThat(DecoyTable.algorithm("32:a.RS256:b")).isEqualTo(CredentialAlgorithm.ES256);
        assertThat(DecoyTable.algorithm("32.RS256:a.ES384:b")).isEqualTo(CredentialAlgorithm.RS256);
        assertThat(DecoyTable.idBytes("32.RS256:usb")).isEqualTo(32);
        assertThat(DecoyTable.algorithm("32.unknown:usb")).isEqualTo(CredentialAlgorithm.ES256);
    }
}
