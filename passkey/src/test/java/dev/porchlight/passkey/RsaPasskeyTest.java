// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static dev.porchlight.passkey.ChallengeLifeTest.assertRefused;
import static dev.porchlight.passkey.CredentialAlgorithm.ES256;
import static dev.porchlight.passkey.CredentialAlgorithm.RS256;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.ImportConflictException;
import dev.porchlight.passkey.store.ImportScreening;
import dev.porchlight.passkey.store.PasskeyImport;
import dev.porchlight.testkit.AttestationFormat;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutations;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Passkeys with RSA keys, as some Windows Hello machines create them. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RsaPasskeyTest {
    private static final List<CredentialAlgorithm> BOTH = List.of(ES256, RS256);

    private SoftBrowser hello;
    private Stage stage;

    /** Generating RSA keys is slow, so all tests share one browser, and each has its own database. */
    @BeforeAll
    void createAuthenticator() {
        hello = Stage.browser(authenticator(AttestationFormat.NONE));
    }

    @BeforeEach
    void open() {
        stage = Stage.on(TestDatabase.SQLITE).configure(config -> config.algorithms(BOTH));
    }

    @Test
    void an_rsa_passkey_registers_and_signs_in() {
        CredentialRecord passkey = stage.register("alice", hello);

        assertThat(passkey.publicKey()).matches("\\{\"kty\":\"RSA\",\"n\":\"[\\w-]{342}\",\"e\":\"AQAB\"}");
        assertThat(stage.signIn("alice", hello).verified()).isTrue();
        assertThat(stage.signIn(hello).verified()).isTrue();
    }

    @Test
    void an_es256_passkey_registers_and_signs_in_too() {
        SoftBrowser browser = Stage.browser();
        assertThat(stage.register("bob", browser).publicKey()).startsWith("{\"kty\":\"EC\"");
        assertThat(stage.signIn("bob", browser).verified()).isTrue();
    }

    @Test
    void options_list_the_algorithms_in_order() {
        assertThat(stage.service.startRegistration("alice").toJson())
                .contains("\"pubKeyCredParams\":[{\"type\":\"public-key\",\"alg\":-7},"
                        + "{\"type\":\"public-key\",\"alg\":-257}]");
        stage.configure(config -> config.algorithms(List.of(RS256, ES256)));
        assertThat(stage.service.startRegistration("alice").toJson())
                .contains("\"pubKeyCredParams\":[{\"type\":\"public-key\",\"alg\":-257},"
                        + "{\"type\":\"public-key\",\"alg\":-7}]");
    }

    @Test
    void es256_is_required() {
        var builder = PasskeyConfig.builder("Example", "example.com", Stage.ORIGIN);
        assertThat(builder.build().algorithms()).containsExactly(ES256);
        assertThatIllegalArgumentException().isThrownBy(() -> builder.algorithms(List.of(RS256)));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.algorithms(List.of()));
    }

    @Test
    void T27_an_rsa_key_is_refused_by_default() {
        stage.configure(config -> config);
        String options = stage.service.startRegistration("alice").toJson();
        String response = Stage.browser().create(options, Mutations.named(CeremonyType.REGISTRATION, "key-for-rs256"));

        var refused = (RegistrationResult.Refused) stage.service.finishRegistration("alice", response);

        assertThat(refused.step()).isEqualTo(Step.ALGORITHM);
        assertThat(refused.detail()).isEqualTo("expected -7 (ES256), found -257");
    }

    @Test
    void a_registered_rsa_passkey_still_signs_in_after_rs256_is_removed() {
        stage.register("alice", hello);
        stage.configure(config -> config);
        assertThat(stage.signIn("alice", hello).verified()).isTrue();
    }

    @Test
    void T27_signatures_by_keys_of_the_other_algorithm_are_refused() {
        SoftBrowser browser = Stage.browser();
        stage.register("bob", browser);
        String options = stage.service.startAuthentication("bob").toJson();
        String response = browser.get(options, Mutations.named(CeremonyType.AUTHENTICATION, "signed-with-an-rsa-key"));
        assertRefused(stage.service.finishAuthentication("bob", response), Step.SIGNATURE);

        stage.register("alice", hello);
        String others = stage.service.startAuthentication("alice").toJson();
        String signed = hello.get(others, Mutations.named(CeremonyType.AUTHENTICATION, "signed-by-another-key"));
        assertRefused(stage.service.finishAuthentication("alice", signed), Step.SIGNATURE);
    }

    @ParameterizedTest
    @CsvSource({
        "'\"e\":\"AQAB\"', '\"e\":\"Aw\"'",
        "'{', '{\"alg\":\"RS256\",'",
        "'\"kty\":\"RSA\"', '\"kty\":\"rsa\"'",
        "'\"n\":\"', '\"n\":\"A'",
    })
    void a_changed_stored_key_is_refused(String was, String is) {
        CredentialRecord passkey = stage.register("alice", hello);
        new Sql(stage.database)
                .update(
                        "UPDATE passkey_credential SET public_key = ?",
                        passkey.publicKey().replace(was, is));
        assertRefused(stage.signIn("alice", hello), Step.PUBLIC_KEY);
    }

    @ParameterizedTest
    @CsvSource({"PACKED_SELF, packed, self_attested", "PACKED, packed, trusted", "TPM, tpm, trusted"})
    void rsa_keys_are_attested(AttestationFormat format, String identifier, String trust) {
        stage.configure(config -> config.algorithms(BOTH)
                .attestation(AttestationPolicy.ACCEPT_UNTRUSTED, List.of(SoftAuthenticator.attestationRoot())));
        CredentialRecord passkey = stage.register("alice", Stage.browser(authenticator(format)));
        assertThat(passkey.authenticator().attestationFormat()).isEqualTo(identifier);
        assertThat(passkey.authenticator().attestationTrust()).isEqualTo(trust);
    }

    @Test
    void an_import_accepts_rsa_keys_only_if_allowed() throws ImportConflictException {
        CredentialRecord passkey = stage.register("alice", hello);
        Stage other = Stage.on(TestDatabase.SQLITE);

        try (PasskeyImport target = PasskeyImport.into(other.database)) {
            assertThatThrownBy(() -> target.add(passkey, "line 1"))
                    .isInstanceOf(ImportConflictException.class)
                    .hasMessage("line 1: a key for RS256, which is not allowed");
        }
        try (PasskeyImport target = PasskeyImport.into(other.database, BOTH, ImportScreening.NONE)) {
            target.add(passkey, "line 1");
            assertThat(target.finish().passkeys()).isEqualTo(1);
        }
        assertThat(other.signIn("alice", hello).verified()).isTrue();
    }

    private static SoftAuthenticator authenticator(AttestationFormat format) {
        return SoftAuthenticator.builder().algorithms(-257).attestation(format).build();
    }
}
