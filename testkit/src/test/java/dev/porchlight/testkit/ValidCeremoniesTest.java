// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.oracles.AttestationLevel;
import dev.porchlight.oracles.Oracle;
import dev.porchlight.oracles.Oracle.Verdict;
import dev.porchlight.oracles.Webauthn4jOracle;
import dev.porchlight.oracles.YubicoOracle;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses of the testkit, verified by two independent libraries. */
@Tag("slow")
class ValidCeremoniesTest {
    private static final String ORIGIN = "https://login.example.com";
    private static final Verdict ACCEPTED = new Verdict(true, "accepted");

    /** Yubico's library does not support android-key; neither trusts self attestation, or supports compound. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "COMPOUND")
    void every_attestation_format_verifies_and_leads_to_the_root(AttestationFormat format) {
        boolean certified = format != AttestationFormat.NONE && format != AttestationFormat.PACKED_SELF;
        AttestationLevel level = certified ? AttestationLevel.TRUSTED : AttestationLevel.VERIFIED;
        String options = Options.creation("example.com", "alice");
        String response =
                browser(SoftAuthenticator.builder().attestation(format)).create(options);
        assertThat(webauthn4j(level).register(options, response)).isEqualTo(ACCEPTED);
        if (format != AttestationFormat.ANDROID_KEY) {
            assertThat(yubico(level).register(options, response)).isEqualTo(ACCEPTED);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PACKED", "FIDO_U2F", "APPLE", "ANDROID_KEY", "TPM"})
    void without_the_root_no_certificate_is_trusted(AttestationFormat format) {
        Oracle stranger = new Webauthn4jOracle("example.com", ORIGIN, AttestationLevel.TRUSTED, Set.of());
        String options = Options.creation("example.com", "alice");
        String response =
                browser(SoftAuthenticator.builder().attestation(format)).create(options);
        assertThat(stranger.register(options, response).accepted()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void a_passkey_signs_in_repeatedly_with_any_counter(Counting counting) {
        signInThreeTimes(SoftAuthenticator.builder().counting(counting));
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 17, 64, 1023})
    void ids_may_have_any_length(int octets) {
        signInThreeTimes(SoftAuthenticator.builder().credentialIdLength(octets));
    }

    @ParameterizedTest
    @ValueSource(ints = {-7, -35, -8, -257})
    void every_offered_algorithm_signs_in(int algorithm) {
        String options = Options.creation("example.com", "alice").replace("\"alg\":-7", "\"alg\":" + algorithm);
        SoftBrowser browser = browser(SoftAuthenticator.builder().algorithms(algorithm));
        signInThreeTimes(browser, options);
    }

    @Test
    void synced_passkeys_are_backed_up_and_do_not_count() {
        SoftBrowser browser = new SoftBrowser(ORIGIN, SoftAuthenticator.syncedPasskeys());
        signInThreeTimes(browser, Options.creation("example.com", "alice"));
        assertThat(browser.authenticator().passkeys())
                .singleElement()
                .extracting(Passkey::signCount)
                .isEqualTo(0L);
    }

    private void signInThreeTimes(SoftAuthenticatorBuilder authenticator) {
        signInThreeTimes(browser(authenticator), Options.creation("example.com", "alice"));
    }

    private void signInThreeTimes(SoftBrowser browser, String options) {
        String made = browser.create(options);
        String id = JsonObject.parse(made).string("id");
        for (Oracle oracle : List.of(webauthn4j(AttestationLevel.VERIFIED), yubico(AttestationLevel.VERIFIED))) {
            assertThat(oracle.register(options, made)).isEqualTo(ACCEPTED);
            for (String request : List.of(
                    Options.request("example.com"),
                    Options.request("example.com", id),
                    Options.request("example.com", "AAAA", id))) {
                assertThat(oracle.authenticate(request, browser.get(request))).isEqualTo(ACCEPTED);
            }
        }
    }

    private static Oracle webauthn4j(AttestationLevel level) {
        return new Webauthn4jOracle("example.com", ORIGIN, level, Set.of(SoftAuthenticator.attestationRoot()));
    }

    private static Oracle yubico(AttestationLevel level) {
        return new YubicoOracle("example.com", ORIGIN, level, Set.of(SoftAuthenticator.attestationRoot()));
    }

    private static SoftBrowser browser(SoftAuthenticatorBuilder authenticator) {
        return new SoftBrowser(ORIGIN, authenticator.seed(20).build());
    }
}
