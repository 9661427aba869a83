// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.SignCountPolicy;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import dev.porchlight.passkey.UserVerification;
import dev.porchlight.passkey.attestation.AuthenticatorRules;
import dev.porchlight.passkey.cose.ScriptedProvider;
import dev.porchlight.passkey.cose.SignatureVerifier;
import dev.porchlight.passkey.data.AuthenticationResponse;
import dev.porchlight.passkey.data.CollectedClientData;
import dev.porchlight.passkey.store.CredentialRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The steps of section 7.2: each fault alone, and the order of several. */
class AssertionCeremonyTest {
    private static final SoftKey KEY = new SoftKey();
    private static final String OURS = "https://example.com";
    private static final int UP = 1;
    private static final int UV = 4;
    private static final int BE = 8;
    private static final int BS = 16;
    private static final int AT = 64;
    private static final Instant NOW = Instant.ofEpochMilli(7);
    private static final Bytes ID = Bytes.ofUtf8("id");
    private static final CredentialSeal SEAL = new CredentialSeal(new byte[32]);

    private final List<String> heard = new ArrayList<>();
    private final List<StepResult> transcript = new ArrayList<>();

    /** A valid response that tests can change. */
    private static final class Draft {
        private String userId = "alice";
        private Bytes id = ID;
        private Bytes rawId = ID;
        private Bytes handle = Bytes.ofUtf8("owner");
        private String rpId = "example.com";
        private int flags = UP;
        private long count = 5;
        private Bytes tail = Bytes.EMPTY;
        private SoftKey signer = KEY;
        private boolean registered = true;
        private String owner = "alice";
        private String recordedHandle = Bytes.ofUtf8("owner").base64Url();
        private String publicKey = KEY.jwk();
        private String origin = OURS;
        private long storedCount = 4;
        private Boolean eligible;
        private Boolean verificationRequired;
        private UserVerification verification = UserVerification.PREFERRED;
        private SignCountPolicy counts = SignCountPolicy.REJECT;
        private Bytes appIdHash;
        private String attestation;
        private CredentialAlgorithm decoy = CredentialAlgorithm.ES256;
        private CredentialSeal seal;
        private boolean sealed;
        private ScriptedProvider provider;
        private String pageOrigin = OURS;
        private boolean explained;

        CredentialRecord stored() {
            var record = CredentialRecord.of(ID.base64Url(), owner, publicKey, storedCount, origin)
                    .withUserHandle(recordedHandle)
                    .withFlags(new CredentialRecord.Flags(eligible, null, null, verificationRequired, null))
                    .withAuthenticator(new CredentialRecord.Authenticator(List.of(), null, attestation, null));
            return sealed ? record.withSeal(SEAL.of(record)) : record;
        }
    }

    @Test
    void a_valid_response_is_accepted() {
        var draft = new Draft();
        draft.flags = UP | UV | BE | BS;
        draft.eligible = false;

        AssertionProof<CredentialRecord> proof =
                ((Verdict.Accepted<AssertionProof<CredentialRecord>>) verify(draft)).value();

        assertThat(proof.credential().userId()).isEqualTo("alice");
        assertThat(proof.credential()).isEqualTo(draft.stored());
        assertThat(proof.data().signCount()).isEqualTo(5);
        assertThat(proof.signCountGrew()).isTrue();
        assertThat(proof.data().userVerified()).isTrue();
        assertThat(proof.data().backupEligible()).isTrue();
        assertThat(proof.data().backedUp()).isTrue();
        assertThat(proof.becameBackupEligible()).isTrue();
        assertThat(proof.origin()).isEqualTo(OURS);
        assertThat(proof.at()).isEqualTo(NOW);
    }

    /** T39: the output of the client is unsigned, and only credentials of U2F are scoped to an app id. */
    @Test
    void T39_the_app_id_replaces_the_relying_party_for_credentials_of_u2f_only() {
        var draft = new Draft();
        draft.rpId = "https://example.com/u2f";
        draft.attestation = "fido-u2f";
        assertThat(refusal(draft)).isEqualTo(Step.RP_ID_HASH);
        draft.appIdHash = Bytes.ofUtf8("https://example.com/u2f").sha256();
        assertThat(refusal(draft)).isNull();
        draft.rpId = "example.com";
        assertThat(refusal(draft)).isEqualTo(Step.RP_ID_HASH);
        draft.attestation = "packed";
        assertThat(refusal(draft)).isNull();
        draft.rpId = "https://example.com/u2f";
        assertThat(refusal(draft)).isEqualTo(Step.RP_ID_HASH);
    }

    @Test
    void a_minimal_response_has_no_other_flags() {
        AssertionProof<CredentialRecord> proof =
                ((Verdict.Accepted<AssertionProof<CredentialRecord>>) verify(new Draft())).value();

        assertThat(proof.data().userVerified()).isFalse();
        assertThat(proof.data().backupEligible()).isFalse();
        assertThat(proof.data().backedUp()).isFalse();
        assertThat(proof.becameBackupEligible()).isFalse();
    }

    @Test
    void each_step_and_the_signature_are_reported_with_their_time() {
        verify(new Draft());

        assertThat(heard.subList(8, heard.size()))
                .containsExactly(
                        "signature 10",
                        "CREDENTIAL_ID 30",
                        "CREDENTIAL_KNOWN 10",
                        "CREDENTIAL_OWNER 10",
                        "USER_HANDLE 10",
                        "PUBLIC_KEY 10",
                        "ORIGIN 10",
                        "AUTHENTICATOR_DATA 10",
                        "RP_ID_HASH 10",
                        "USER_PRESENT 10",
                        "USER_VERIFIED 10",
                        "BACKUP_STATE 10",
                        "BACKUP_ELIGIBILITY 10",
                        "SIGNATURE 10",
                        "SIGN_COUNT 10");
    }

    /** Each fault hides the later ones. The faults are fixed one after the other, so each is also tested alone. */
    @Test
    void the_first_of_several_faults_is_reported_after_one_signature_check() {
        var draft = new Draft();
        draft.storedCount = 5;
        assertThat(refusal(draft)).isEqualTo(Step.SIGN_COUNT);
        draft.signer = new SoftKey();
        assertThat(refusal(draft)).isEqualTo(Step.SIGNATURE);
        draft.eligible = true;
        assertThat(refusal(draft)).isEqualTo(Step.BACKUP_ELIGIBILITY);
        draft.flags = UP | BS;
        assertThat(refusal(draft)).isEqualTo(Step.BACKUP_STATE);
        draft.verification = UserVerification.REQUIRED;
        assertThat(refusal(draft)).isEqualTo(Step.USER_VERIFIED);
        draft.flags = BS;
        assertThat(refusal(draft)).isEqualTo(Step.USER_PRESENT);
        draft.rpId = "example.org";
        assertThat(refusal(draft)).isEqualTo(Step.RP_ID_HASH);
        draft.tail = Bytes.ofHex("00");
        assertThat(refusal(draft)).isEqualTo(Step.AUTHENTICATOR_DATA);
        draft.origin = "https://example.org";
        assertThat(refusal(draft)).isEqualTo(Step.ORIGIN);
        draft.publicKey = "{}";
        assertThat(refusal(draft)).isEqualTo(Step.PUBLIC_KEY);
        draft.handle = Bytes.ofUtf8("other");
        assertThat(refusal(draft)).isEqualTo(Step.USER_HANDLE);
        draft.owner = "mallory";
        assertThat(refusal(draft)).isEqualTo(Step.CREDENTIAL_OWNER);
        draft.seal = SEAL;
        assertThat(refusal(draft)).isEqualTo(Step.ROW_INTEGRITY);
        draft.registered = false;
        assertThat(refusal(draft)).isEqualTo(Step.CREDENTIAL_KNOWN);
        draft.rawId = Bytes.ofUtf8("other");
        assertThat(refusal(draft)).isEqualTo(Step.CREDENTIAL_ID);
        assertThat(heard.stream().filter(it -> it.startsWith("signature"))).hasSize(15);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // user id given, presented handle, stored handle, accepted
                "alice, owner, owner, true",
                "alice, -, owner, true",
                "alice, other, owner, false",
                "alice, old, -, true",
                "alice, -, -, true",
                "-, owner, owner, true",
                "-, -, owner, false",
                "-, other, owner, false",
                "-, old, -, false",
                "-, -, -, false"
            })
    void T13_a_user_handle_must_match_and_is_required_without_a_user_id(
            String named, String presented, String recorded, boolean accepted) {
        var draft = new Draft();
        draft.userId = named;
        draft.handle = presented == null ? null : Bytes.ofUtf8(presented);
        draft.recordedHandle = recorded == null ? null : Bytes.ofUtf8(recorded).base64Url();

        assertThat(refusal(draft)).isEqualTo(accepted ? null : Step.USER_HANDLE);
    }

    @ParameterizedTest
    @CsvSource({"REQUIRED, , false", "PREFERRED, true, false", "PREFERRED, false, true", "DISCOURAGED, , true"})
    void T24_verification_is_required_by_policy_or_since_registration(
            UserVerification wanted, Boolean wasRequired, boolean acceptedWithout) {
        var draft = new Draft();
        draft.verification = wanted;
        draft.verificationRequired = wasRequired;
        assertThat(refusal(draft)).isEqualTo(acceptedWithout ? null : Step.USER_VERIFIED);

        draft.flags = UP | UV;
        assertThat(refusal(draft)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        // flags, stored eligibility, refused
        "1, , ",
        "9, , ",
        "25, , ",
        "17, , BACKUP_STATE",
        "1, false, ",
        "9, false, ",
        "1, true, BACKUP_ELIGIBILITY",
        "9, true, "
    })
    void T36_backup_flags_must_be_consistent(int flags, Boolean eligible, Step refused) {
        var draft = new Draft();
        draft.flags = flags;
        draft.eligible = eligible;

        assertThat(refusal(draft)).isEqualTo(refused);
    }

    @Test
    void T34_an_assertion_with_attested_credential_data_is_malformed() {
        var draft = new Draft();
        draft.flags = UP | AT;
        draft.tail = Bytes.ofHex("00".repeat(16) + "0001" + "aa").concat(KEY.cose("26"));

        assertThat(refusal(draft)).isEqualTo(Step.AUTHENTICATOR_DATA);
    }

    @Test
    void T35_a_count_that_did_not_grow_passes_with_the_flag_policy() {
        var draft = new Draft();
        draft.storedCount = 6;
        draft.counts = SignCountPolicy.FLAG;

        assertThat(((Verdict.Accepted<AssertionProof<CredentialRecord>>) verify(draft))
                        .value()
                        .signCountGrew())
                .isFalse();
    }

    /** A missing or unreadable credential takes the same time as a valid one. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true"})
    void T42_a_signature_is_always_verified(boolean registered, boolean readable) {
        var draft = new Draft();
        draft.registered = registered;
        draft.publicKey = readable ? KEY.jwk() : "{}";
        draft.provider = new ScriptedProvider(truth -> truth);
        new SignatureVerifier(draft.provider);
        int callsOfTheKnownAnswerTest = draft.provider.calls;

        verify(draft);

        assertThat(draft.provider.calls - callsOfTheKnownAnswerTest).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"9, false, true", "9, true, false", "9, , false", "1, false, false", "1, , false"})
    void T36_only_a_known_change_counts_as_becoming_eligible(int flags, Boolean before, boolean became) {
        var draft = new Draft();
        draft.flags = flags;
        draft.eligible = before;

        assertThat(((Verdict.Accepted<AssertionProof<CredentialRecord>>) verify(draft))
                        .value()
                        .becameBackupEligible())
                .isEqualTo(became);
    }

    @Test
    void T18_a_sealed_row_passes_the_integrity_step() {
        var draft = new Draft();
        draft.seal = SEAL;
        draft.sealed = true;

        assertThat(refusal(draft)).isNull();
        assertThat(heard).contains("ROW_INTEGRITY 10");
    }

    @Test
    void T18_the_detail_distinguishes_changed_and_unsealed_rows() {
        var draft = new Draft();
        draft.seal = SEAL;
        assertThat(detail(draft)).isEqualTo("expected a row that matches its seal, found a row that was never sealed");

        draft.sealed = true;
        draft.seal = new CredentialSeal(
                Bytes.ofUtf8("another key of thirty-two bytes.").toByteArray());
        assertThat(detail(draft)).isEqualTo("expected a row that matches its seal, found a row that was changed");
    }

    @Test
    void an_explained_refusal_checks_the_later_steps_too() {
        var draft = new Draft();
        draft.explained = true;
        draft.pageOrigin = "https://evil.example";
        draft.flags = UP | BS;
        draft.verification = UserVerification.REQUIRED;

        assertThat(refusal(draft)).isEqualTo(Step.ORIGIN);
        assertThat(transcript)
                .filteredOn(result -> !result.passed())
                .extracting(StepResult::detail)
                .containsExactly(
                        "expected https://example.com, found https://evil.example",
                        "expected UV set, found UV not set",
                        "expected BS only with BE, found BE not set, BS set");
        assertThat(transcript).last().extracting(StepResult::step).isEqualTo(Step.SIGN_COUNT);
    }

    @Test
    void an_explained_response_ends_at_an_unknown_credential() {
        var draft = new Draft();
        draft.explained = true;
        draft.registered = false;

        assertThat(refusal(draft)).isEqualTo(Step.CREDENTIAL_KNOWN);
        assertThat(transcript).last().extracting(StepResult::step).isEqualTo(Step.CREDENTIAL_KNOWN);
    }

    @Test
    void the_values_of_steps_that_pass_are_computed_only_for_an_observer_that_explains() {
        verify(new Draft());
        assertThat(transcript)
                .allMatch(
                        result -> result.expected().isEmpty() && result.found().isEmpty());

        transcript.clear();
        var draft = new Draft();
        draft.explained = true;
        assertThat(refusal(draft)).isNull();
        assertThat(transcript)
                .filteredOn(result -> result.step() == Step.SIGN_COUNT)
                .containsExactly(new StepResult(Step.SIGN_COUNT, true, "more than 4, otherwise refused", "5", 10));
    }

    @Test
    void transcripts_have_no_user_id_and_no_complete_id_or_handle() {
        var draft = new Draft();
        draft.explained = true;
        draft.owner = "mallory-the-owner";
        draft.id = Bytes.ofUtf8("a long credential id");
        draft.handle = Bytes.ofUtf8("a long user handle");
        draft.recordedHandle = Bytes.ofUtf8("another long user handle").base64Url();
        verify(draft);

        assertThat(transcript.toString())
                .doesNotContain(
                        "alice",
                        "mallory",
                        draft.id.base64Url(),
                        draft.handle.base64Url(),
                        draft.recordedHandle,
                        draft.publicKey);
    }

    @Test
    void the_detail_states_expected_and_found() {
        var draft = new Draft();
        draft.storedCount = 9;
        assertThat(detail(draft)).isEqualTo("expected more than 9, otherwise refused, found 5");
        draft.origin = "https://old.example";
        assertThat(detail(draft)).isEqualTo("expected https://example.com, found registered on https://old.example");
    }

    private Step refusal(Draft draft) {
        return verify(draft) instanceof Verdict.Refused<AssertionProof<CredentialRecord>> refused
                ? refused.result().step()
                : null;
    }

    private String detail(Draft draft) {
        return ((Verdict.Refused<AssertionProof<CredentialRecord>>) verify(draft))
                .result()
                .detail();
    }

    private Verdict<AssertionProof<CredentialRecord>> verify(Draft draft) {
        var party = new RelyingParty(
                "example.com",
                Set.of(OURS),
                Set.of(),
                draft.verification,
                draft.counts,
                List.of(CredentialAlgorithm.ES256));
        var client = new CollectedClientData(
                Bytes.ofUtf8("{}"), "webauthn.get", "own", draft.pageOrigin, false, null, false);
        Bytes data = SoftKey.data(draft.rpId, draft.flags, draft.count).concat(draft.tail);
        var response = new AuthenticationResponse(
                draft.id,
                draft.rawId,
                Bytes.ofUtf8("{}"),
                data,
                draft.signer.sign(data, Bytes.ofUtf8("{}").sha256()),
                draft.handle,
                null,
                JsonObject.of(Map.of()));
        var time = new AtomicLong();
        var signatures = new SignatureVerifier(draft.provider);
        var ceremony = new AssertionCeremony(
                party,
                signatures,
                draft.seal == null ? null : draft.seal::holds,
                id -> draft.decoy,
                AuthenticatorRules.NONE,
                () -> time.addAndGet(10));
        return ceremony.verify(
                response,
                client,
                new IssuedChallenge("own", Long.MAX_VALUE),
                draft.userId,
                draft.appIdHash,
                () -> draft.registered ? draft.stored() : null,
                NOW,
                observer(draft));
    }

    private StepObserver observer(Draft draft) {
        return new StepObserver() {
            @Override
            public void checked(StepResult result) {
                transcript.add(result);
                if (result.passed()) {
                    heard.add(result.step() + " " + result.nanos());
                }
            }

            @Override
            public void signatureVerified(CredentialAlgorithm algorithm, long nanos) {
                heard.add("signature " + nanos);
            }

            @Override
            public boolean explains() {
                return draft.explained;
            }
        };
    }
}
