// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.attestation.Certificates;
import dev.porchlight.passkey.data.AttestationObject;
import dev.porchlight.passkey.data.CborMap;
import dev.porchlight.passkey.data.CborValue;
import dev.porchlight.passkey.metadata.AuthenticatorPolicy;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.metadata.CertificationLevel;
import dev.porchlight.passkey.metadata.MetadataBlob;
import dev.porchlight.passkey.metadata.MetadataTrust;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.testkit.AttestationFormat;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.SoftMetadata;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which models of authenticators may register, and may still be used to sign in. */
class AuthenticatorPolicyTest {
    private static final UUID MODEL = UUID.fromString("a5a5a5a5-a5a5-a5a5-a5a5-a5a5a5a5a5a5");
    private static final String OTHER = "b5b5b5b5-b5b5-b5b5-b5b5-b5b5b5b5b5b5";

    private final List<String> suspicions = new ArrayList<>();
    private Stage stage;
    private SoftBrowser browser;

    @BeforeEach
    void open() {
        stage = Stage.on(TestDatabase.SQLITE);
        browser = browser(AttestationFormat.PACKED);
    }

    private static SoftBrowser browser(AttestationFormat format) {
        return Stage.browser(
                SoftAuthenticator.builder().aaguid(MODEL).attestation(format).build());
    }

    private static SoftMetadata metadata(String... statuses) {
        return new SoftMetadata(1, "2026-07-01").model(MODEL, "Soft key", statuses);
    }

    private Authenticators known(String policy, SoftMetadata metadata) throws MalformedException {
        var trust = MetadataTrust.of(List.of(SoftAuthenticator.attestationRoot()));
        var blob = Optional.of(MetadataBlob.parse(metadata.sign(), trust, stage.clock.instant()));
        return new Authenticators(AuthenticatorPolicy.parse(policy), () -> blob);
    }

    private void apply(String policy, SoftMetadata metadata) throws MalformedException {
        apply(known(policy, metadata));
    }

    private void apply(Authenticators known) {
        var attestation = known.policy().attestationRequired()
                ? AttestationPolicy.REQUIRE_TRUSTED
                : AttestationPolicy.ACCEPT_UNTRUSTED;
        UnaryOperator<PasskeyConfig.Builder> change = config -> config.attestation(attestation, List.of());
        stage.with(
                change,
                builder -> builder.authenticators(known).listener(new CeremonyListener() {
                    @Override
                    public void authenticatorSuspected(VerifiedAssertion assertion, String reason) {
                        suspicions.add(reason);
                    }
                }));
    }

    private String register(SoftBrowser from) {
        String options = stage.service.startRegistration("ada").toJson();
        return result(stage.service.finishRegistration("ada", from.create(options)));
    }

    private static String result(RegistrationResult result) {
        return result instanceof RegistrationResult.Refused refused
                ? refused.step().code() + ": " + refused.detail()
                : ((RegistrationResult.Registered) result)
                        .credential()
                        .authenticator()
                        .attestationTrust();
    }

    @Test
    void metadata_makes_an_attestation_trusted() throws Exception {
        apply("{}", metadata());
        assertThat(register(browser)).isEqualTo("trusted");
        assertThat(register(browser(AttestationFormat.PACKED_SELF))).isEqualTo("self_attested");

        apply("{}", new SoftMetadata(1, "2026-07-01").model(UUID.fromString(OTHER), "Another model"));
        assertThat(register(browser(AttestationFormat.PACKED)))
                .as("the certificates of one model do not attest another")
                .isEqualTo("chain_untrusted");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"deny\":[\"a5a5a5a5-a5a5-a5a5-a5a5-a5a5a5a5a5a5\"]} | FIDO_CERTIFIED | is denied",
                "{\"allow\":[\"b5b5b5b5-b5b5-b5b5-b5b5-b5b5b5b5b5b5\"]} | FIDO_CERTIFIED | not among the allowed ones",
                "{\"minimumCertification\":\"L2\"} | FIDO_CERTIFIED_L1plus | certified for L1+ only",
                "{\"minimumCertification\":\"L1\"} | SELF_ASSERTION_SUBMITTED | not certified",
                "{\"requireAttestation\":true} | REVOKED | attestation_untrusted: chain_untrusted",
                "{} | REVOKED | has the status REVOKED",
                "{} | USER_KEY_REMOTE_COMPROMISE 2020-01-01 | has the status USER_KEY_REMOTE_COMPROMISE",
                "{\"allow\":[\"a5a5a5a5-a5a5-a5a5-a5a5-a5a5a5a5a5a5\"]} | FIDO_CERTIFIED | trusted",
                "{\"minimumCertification\":\"L2\"} | FIDO_CERTIFIED_L3 | trusted",
                "{} | REVOKED 2999-01-01 | trusted"
            })
    void a_new_passkey_needs_an_allowed_model(String policy, String status, String expected) throws Exception {
        apply(policy, metadata(status));

        String result = register(browser);

        assertThat(result).endsWith(expected);
        if (!expected.contains("trusted")) {
            assertThat(result).startsWith("authenticator_not_allowed: AAGUID " + MODEL);
        }
        assertThat(stage.passkeys("ada")).hasSize(expected.equals("trusted") ? 1 : 0);
    }

    @Test
    void a_claimed_model_is_not_enough_for_an_allow_list() throws Exception {
        String policy = "{\"allow\":[\"" + MODEL + "\"]}";
        apply(policy, metadata());
        assertThat(register(browser(AttestationFormat.NONE))).startsWith("attestation_untrusted");
        assertThat(register(browser(AttestationFormat.PACKED_SELF))).startsWith("attestation_untrusted");

        apply("{\"allow\":[\"" + MODEL + "\"],\"requireAttestation\":false}", metadata());
        assertThat(register(browser(AttestationFormat.PACKED_SELF))).isEqualTo("self_attested");
    }

    @Test
    void without_metadata_a_required_certification_is_missing() {
        apply(new Authenticators(
                policy("{\"minimumCertification\":\"L1\",\"requireAttestation\":false}"), Optional::empty));

        assertThat(register(browser)).endsWith("is not in the metadata");
    }

    @ParameterizedTest
    @CsvSource({"FIDO_CERTIFIED, trusted", "REVOKED, has the status REVOKED"})
    void a_model_of_u2f_is_recognized_by_its_certificate(String status, String expected) throws Exception {
        String response = response(browser(AttestationFormat.FIDO_U2F));

        apply("{}", new SoftMetadata(1, "2026-07-01").u2f(keys(response).get(0), "Soft U2F key", status));

        assertThat(result(stage.service.finishRegistration("ada", response))).endsWith(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"00000000-0000-0000-0000-000000000000", "b5b5b5b5-b5b5-b5b5-b5b5-b5b5b5b5b5b5"})
    void no_certificate_of_another_format_selects_a_model_of_u2f(String aaguid) throws Exception {
        for (int index = 0; index < 2; index++) {
            String response = response(Stage.browser(SoftAuthenticator.builder()
                    .aaguid(UUID.fromString(aaguid))
                    .attestation(AttestationFormat.PACKED)
                    .build()));
            var metadata = new SoftMetadata(1, "2026-07-01")
                    .u2f(keys(response).get(index), "Soft U2F key", "FIDO_CERTIFIED_L1");

            apply("{\"minimumCertification\":\"L1\",\"requireAttestation\":false}", metadata);
            assertThat(result(stage.service.finishRegistration("ada", response)))
                    .isEqualTo("authenticator_not_allowed: AAGUID " + aaguid + " is not in the metadata");
        }
    }

    private String response(SoftBrowser from) throws MalformedException {
        apply("{}", metadata());
        return from.create(stage.service.startRegistration("ada").toJson());
    }

    /** The identifiers of the keys in the certificates of a statement. */
    private static List<String> keys(String response) throws Exception {
        Bytes object = JsonObject.parse(response, "").object("response").bytes("attestationObject", 65_536);
        var x5c = (CborValue.Array) AttestationObject.parse(object).statement().get("x5c");
        List<String> keys = new ArrayList<>();
        for (CborValue certificate : x5c.items()) {
            Bytes encoded = CborMap.bytes(certificate, "x5c");
            keys.add(Certificates.keyIdentifier(
                    Certificates.read(List.of(encoded)).get(0)));
        }
        return keys;
    }

    @ParameterizedTest
    @CsvSource({"flag, true, 1", "refuse, false, 0", "accept, true, 0"})
    void a_sign_in_with_a_compromised_model_is_accepted_flagged_or_refused(String action, boolean verified, int flagged)
            throws Exception {
        apply("{}", metadata());
        register(browser);

        apply("{\"signIn\":\"" + action + "\"}", metadata("REVOKED 2020-01-01"));
        AuthenticationResult result = stage.signIn("ada", browser);

        assertThat(result.verified()).isEqualTo(verified);
        assertThat(suspicions).hasSize(flagged).allMatch(reason -> reason.endsWith("has the status REVOKED"));
        if (result instanceof AuthenticationResult.Refused refused) {
            assertThat(refused.step()).isEqualTo(Step.AUTHENTICATOR_ALLOWED);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hardware | {} | FIDO_CERTIFIED | trusted | true",
                "software | {} | FIDO_CERTIFIED | trusted | false",
                "hardware | {} | FIDO_CERTIFIED | imported | false",
                "hardware | {} | FIDO_CERTIFIED | chain_untrusted | false",
                "hardware | {\"signIn\":\"accept\"} | REVOKED 2020-01-01 | trusted | false",
                "hardware | {} | REVOKED 2999-01-01 | trusted | true",
                "hardware | {\"deny\":[\"a5a5a5a5-a5a5-a5a5-a5a5-a5a5a5a5a5a5\"]} | FIDO_CERTIFIED | trusted | false"
            })
    void a_key_is_in_hardware_if_its_verified_model_keeps_it_there_and_nothing_speaks_against_it(
            String protection, String policy, String status, String trust, boolean hardware) throws Exception {
        var metadata =
                new SoftMetadata(1, "2026-07-01").keyProtection(protection).model(MODEL, "Soft key", status);
        Authenticators known = known(policy, metadata);
        var passkey = new CredentialRecord.Authenticator(List.of(), MODEL.toString(), "packed", trust);

        assertThat(known.isHardwareKey(passkey, stage.clock.instant())).isEqualTo(hardware);
        assertThat(Authenticators.UNKNOWN.isHardwareKey(passkey, stage.clock.instant()))
                .as("without metadata")
                .isFalse();
        var u2f = new CredentialRecord.Authenticator(
                List.of(), "00000000-0000-0000-0000-000000000000", "fido-u2f", "trusted");
        assertThat(known.isHardwareKey(u2f, stage.clock.instant())).isFalse();
    }

    @Test
    void a_sign_in_is_not_judged_by_rules_for_new_passkeys() throws Exception {
        apply("{}", metadata());
        register(browser);

        apply("{\"allow\":[\"" + OTHER + "\"],\"minimumCertification\":\"L3\",\"signIn\":\"refuse\"}", metadata());

        assertThat(stage.signIn("ada", browser).verified()).isTrue();
        assertThat(suspicions).isEmpty();
    }

    @Test
    void a_denied_model_is_refused_only_with_a_valid_signature() throws Exception {
        apply("{}", metadata());
        register(browser);
        apply("{\"deny\":[\"" + MODEL + "\"],\"signIn\":\"refuse\"}", metadata());
        String options = stage.service.startAuthentication("ada").toJson();
        String response = browser.get(options).replaceFirst("\"signature\":\"[^\"]+\"", "\"signature\":\"AAAA\"");

        var result = (AuthenticationResult.Refused) stage.service.finishAuthentication("ada", response);

        assertThat(result.step()).isEqualTo(Step.SIGNATURE);
    }

    @Test
    void an_explanation_applies_the_policy() throws Exception {
        apply("{\"deny\":[\"" + MODEL + "\"],\"signIn\":\"refuse\"}", metadata());
        String options = stage.service.startRegistration("ada").toJson();

        List<StepResult> steps = stage.explainer().registration(browser.create(options), null, "ada");

        assertThat(steps.get(steps.size() - 1).step()).isEqualTo(Step.AUTHENTICATOR_ALLOWED);
        assertThat(steps.get(steps.size() - 1).passed()).isFalse();
    }

    @Test
    void a_list_of_passkeys_has_the_names_and_icons_of_their_authenticators() throws Exception {
        apply("{}", metadata());
        register(browser);

        String json = PasskeyListing.of(stage.service, stage.config, "ada").toJson((member, passkey) -> {});

        assertThat(json).contains("\"authenticator\":{\"name\":\"Soft key\",\"icon\":\"data:image/png;base64,iVBOR");
    }

    @Test
    void the_icons_in_a_list_of_passkeys_are_bounded_together() throws Exception {
        byte[] icon = Arrays.copyOf(Bytes.ofHex("89504e470d0a1a0a").toByteArray(), 100 * 1024);
        apply(
                "{}",
                new SoftMetadata(1, "2026-07-01")
                        .entry("{\"aaguid\":\"" + MODEL
                                + "\",\"metadataStatement\":{\"description\":\"Soft key\",\"icon\":\"data:image/png;base64,"
                                + Base64.getEncoder().encodeToString(icon) + "\"}}"));
        for (int i = 0; i < 4; i++) {
            assertThat(register(browser(AttestationFormat.NONE))).isEqualTo("not_attested");
        }

        String json = PasskeyListing.of(stage.service, stage.config, "ada").toJson((member, passkey) -> {});

        assertThat(json.split("\"name\":\"Soft key\"", -1)).hasSize(5);
        assertThat(json.split("\"icon\":", -1)).hasSize(3);
    }

    @Test
    void a_policy_that_requires_attestation_needs_a_configuration_that_does() throws Exception {
        Authenticators known = known("{\"requireAttestation\":true}", metadata());

        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        PasskeyService.builder(Stage.config(), stage.database).authenticators(known))
                .withMessageContaining("REQUIRE_TRUSTED");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{\"alow\":[]}",
                "{\"allow\":\"x\"}",
                "{\"allow\":[\"A5A5A5A5-A5A5-A5A5-A5A5-A5A5A5A5A5A5\"]}",
                "{\"deny\":[\"a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5\"]}",
                "{\"minimumCertification\":\"l1\"}",
                "{\"signIn\":\"Refuse\"}",
                "{\"signIn\":\"flag\",\"signIn\":\"flag\"}",
                "{\"requireAttestation\":\"yes\"}"
            })
    void a_malformed_policy_is_refused(String json) {
        assertThatExceptionOfType(MalformedException.class).isThrownBy(() -> AuthenticatorPolicy.parse(json));
    }

    @Test
    void the_policy_of_the_guide_is_valid() throws Exception {
        Path guide = Path.of(System.getProperty("porchlight.root", ".."), "docs/guides/authenticators.md");
        String page = Files.readString(guide);
        int start = page.indexOf("```json") + 7;

        AuthenticatorPolicy policy = AuthenticatorPolicy.parse(page.substring(start, page.indexOf("```", start)));

        assertThat(policy.allowed()).hasSize(1);
        assertThat(policy.denied()).hasSize(1);
        assertThat(policy.minimum()).contains(CertificationLevel.L1);
        assertThat(policy.attestationRequired()).isTrue();
        assertThat(policy.signIn()).isEqualTo(AuthenticatorPolicy.SignIn.REFUSE);
    }

    private static AuthenticatorPolicy policy(String json) {
        try {
            return AuthenticatorPolicy.parse(json);
        } catch (MalformedException e) {
            throw new AssertionError(e);
        }
    }
}
