// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.passkey.AttestationPolicy;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.SignCountPolicy;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import dev.porchlight.passkey.UserVerification;
import dev.porchlight.passkey.attestation.AttestationVerifier;
import dev.porchlight.passkey.attestation.TrustAnchors;
import dev.porchlight.passkey.data.CollectedClientData;
import dev.porchlight.passkey.data.RegistrationResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The steps of section 7.1: each fault alone, and the order of several. */
class RegistrationCeremonyTest {
    private static final SoftKey KEY = new SoftKey();
    private static final String OURS = "https://example.com";
    private static final String ES256 = "26";
    private static final int UP = 1;
    private static final int UV = 4;
    private static final int BE = 8;
    private static final int BS = 16;
    private static final int AT = 64;

    private final List<String> heard = new ArrayList<>();

    /** A valid response that tests can change. */
    private static final class Draft {
        private Bytes id = Bytes.ofUtf8("id");
        private Bytes rawId = Bytes.ofUtf8("id");
        private String rpId = "example.com";
        private int flags = UP | AT;
        private boolean attested = true;
        private Bytes key = KEY.cose(ES256);
        private String format = "none";
        private String statement = "a0";
        private Bytes tail = Bytes.EMPTY;
        private UserVerification verification = UserVerification.PREFERRED;
        private Purpose purpose = Purpose.REGISTRATION;
        private AttestationPolicy policy = AttestationPolicy.NOT_REQUESTED;
        private List<CredentialAlgorithm> algorithms = List.of(CredentialAlgorithm.ES256);

        Bytes object() {
            Bytes data = SoftKey.data(rpId, flags, 3);
            if (attested) {
                data = data.concat(Bytes.ofHex(
                                "11".repeat(16) + "0002" + Bytes.ofUtf8("id").hex()))
                        .concat(key);
            }
            return Bytes.ofHex("a3" + "63" + Bytes.ofUtf8("fmt").hex() + "6" + format.length()
                            + Bytes.ofUtf8(format).hex() + "67"
                            + Bytes.ofUtf8("attStmt").hex() + statement + "68"
                            + Bytes.ofUtf8("authData").hex() + String.format("58%02x", data.size()))
                    .concat(data)
                    .concat(tail);
        }
    }

    @Test
    void a_valid_response_is_accepted() {
        var draft = new Draft();
        draft.flags = UP | UV | BE | BS | AT;

        VerifiedRegistration registration = ((Verdict.Accepted<VerifiedRegistration>) verify(draft)).value();

        assertThat(registration.credentialId()).isEqualTo(Bytes.ofUtf8("id"));
        assertThat(registration.publicKey().toJwk()).isEqualTo(KEY.jwk());
        assertThat(registration.data().signCount()).isEqualTo(3);
        assertThat(registration.data().userVerified()).isTrue();
        assertThat(registration.data().backupEligible()).isTrue();
        assertThat(registration.data().backedUp()).isTrue();
        assertThat(registration.origin()).isEqualTo(OURS);
        assertThat(registration.attestation().aaguid()).isEqualTo(Bytes.ofHex("11".repeat(16)));
    }

    @Test
    void a_minimal_response_has_no_other_flags() {
        VerifiedRegistration registration = ((Verdict.Accepted<VerifiedRegistration>) verify(new Draft())).value();

        assertThat(registration.data().userVerified()).isFalse();
        assertThat(registration.data().backupEligible()).isFalse();
        assertThat(registration.data().backedUp()).isFalse();
    }

    @Test
    void each_step_is_reported_once() {
        verify(new Draft());

        assertThat(heard)
                .containsExactly(
                        "TYPE",
                        "ORIGIN",
                        "FRAMING",
                        "TOP_ORIGIN",
                        "CHALLENGE_KNOWN",
                        "CHALLENGE_IN_TIME",
                        "CHALLENGE_PURPOSE",
                        "TOKEN_BINDING",
                        "ATTESTATION_OBJECT",
                        "AUTHENTICATOR_DATA",
                        "CREDENTIAL_ID",
                        "RP_ID_HASH",
                        "USER_PRESENT",
                        "USER_VERIFIED",
                        "BACKUP_STATE",
                        "ALGORITHM",
                        "PUBLIC_KEY",
                        "ATTESTATION_FORMAT",
                        "ATTESTATION_STATEMENT",
                        "ATTESTATION_TRUST");
    }

    /** Each fault hides the later ones. The faults are fixed one after the other, so each is also tested alone. */
    @Test
    void the_first_of_several_faults_is_reported() {
        var draft = new Draft();
        draft.policy = AttestationPolicy.REQUIRE_TRUSTED;
        assertThat(refusal(draft)).isEqualTo(Step.ATTESTATION_TRUST);
        draft.statement = "a161610a";
        assertThat(refusal(draft)).isEqualTo(Step.ATTESTATION_STATEMENT);
        draft.format = "nona";
        assertThat(refusal(draft)).isEqualTo(Step.ATTESTATION_FORMAT);
        draft.key = Bytes.ofHex("a5010203262001215820" + "00".repeat(32) + "225820" + "01".repeat(32));
        assertThat(refusal(draft)).isEqualTo(Step.PUBLIC_KEY);
        draft.key = KEY.cose("27");
        assertThat(refusal(draft)).isEqualTo(Step.ALGORITHM);
        draft.flags = UP | BS | AT;
        assertThat(refusal(draft)).isEqualTo(Step.BACKUP_STATE);
        draft.verification = UserVerification.REQUIRED;
        assertThat(refusal(draft)).isEqualTo(Step.USER_VERIFIED);
        draft.flags = BS | AT;
        assertThat(refusal(draft)).isEqualTo(Step.USER_PRESENT);
        draft.rpId = "example.org";
        assertThat(refusal(draft)).isEqualTo(Step.RP_ID_HASH);
        draft.id = Bytes.ofUtf8("di");
        assertThat(refusal(draft)).isEqualTo(Step.CREDENTIAL_ID);
        draft.flags = UP;
        draft.attested = false;
        assertThat(refusal(draft)).isEqualTo(Step.AUTHENTICATOR_DATA);
        draft.tail = Bytes.ofHex("00");
        assertThat(refusal(draft)).isEqualTo(Step.ATTESTATION_OBJECT);
    }

    @ParameterizedTest
    @CsvSource({"di, id", "id, di", "di, di"})
    void T16_id_and_raw_id_must_match_the_authenticator_data(String id, String rawId) {
        var draft = new Draft();
        draft.id = Bytes.ofUtf8(id);
        draft.rawId = Bytes.ofUtf8(rawId);

        assertThat(refusal(draft)).isEqualTo(Step.CREDENTIAL_ID);
    }

    @ParameterizedTest
    @CsvSource({"REGISTRATION, USER_PRESENT", "CONDITIONAL_REGISTRATION, "})
    void T23_presence_is_required_except_for_conditional_create(Purpose purpose, Step refused) {
        var draft = new Draft();
        draft.flags = AT;
        draft.purpose = purpose;

        assertThat(refusal(draft)).isEqualTo(refused);
    }

    @ParameterizedTest
    @CsvSource({"REQUIRED, USER_VERIFIED", "PREFERRED, ", "DISCOURAGED, "})
    void T24_required_verification_is_enforced(UserVerification wanted, Step refused) {
        var draft = new Draft();
        draft.verification = wanted;
        assertThat(refusal(draft)).isEqualTo(refused);

        draft.flags = UP | UV | AT;
        assertThat(refusal(draft)).isNull();
    }

    private Step refusal(Draft draft) {
        return verify(draft) instanceof Verdict.Refused<VerifiedRegistration> refused
                ? refused.result().step()
                : null;
    }

    private Verdict<VerifiedRegistration> verify(Draft draft) {
        var party = new RelyingParty(
                "example.com", Set.of(OURS), Set.of(), draft.verification, SignCountPolicy.REJECT, draft.algorithms);
        String challenge = draft.purpose == Purpose.REGISTRATION ? "reg_A" : "cnd_A";
        var client =
                new CollectedClientData(Bytes.ofUtf8("{}"), "webauthn.create", challenge, OURS, false, null, false);
        var issued = new IssuedChallenge(challenge, 1);
        var response = new RegistrationResponse(
                draft.id,
                draft.rawId,
                Bytes.ofUtf8("{}"),
                draft.object(),
                List.of(),
                null,
                null,
                JsonObject.of(Map.of()));
        var time = new AtomicLong();
        var attestations = new AttestationVerifier(draft.policy, new TrustAnchors(Set.of()), null);
        return new RegistrationCeremony(party, attestations, time::incrementAndGet)
                .verify(response, client, issued, Instant.EPOCH, new StepObserver() {
                    @Override
                    public void checked(StepResult result) {
                        if (result.passed()) {
                            heard.add(result.step().name());
                        }
                    }

                    @Override
                    public void signatureVerified(CredentialAlgorithm algorithm, long nanos) {
                        heard.add("signature");
                    }
                });
    }
}
