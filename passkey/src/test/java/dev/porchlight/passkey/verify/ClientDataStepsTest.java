// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.SignCountPolicy;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.UserVerification;
import dev.porchlight.passkey.data.CollectedClientData;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientDataStepsTest {
    private static final String OURS = "https://example.com";
    private static final String FRAME = "https://frame.example";
    private static final String CHALLENGE = "get_AAAA";
    private static final long DEADLINE = 1_000;

    private final List<Step> passed = new ArrayList<>();

    /** Valid client data that tests can change. */
    private static final class Draft {
        private String type = "webauthn.get";
        private String challenge = CHALLENGE;
        private String origin = OURS;
        private boolean crossOrigin;
        private String topOrigin;
        private boolean tokenBound;
        private IssuedChallenge taken = new IssuedChallenge(CHALLENGE, DEADLINE);
        private Set<String> frames = Set.of();
        private long now = DEADLINE - 1;
        private Purpose expected = Purpose.AUTHENTICATION;
    }

    @Test
    void valid_client_data_passes_each_step_in_order() {
        assertThat(verify(new Draft())).isInstanceOf(Verdict.Accepted.class);
        assertThat(passed)
                .containsExactly(
                        Step.TYPE,
                        Step.ORIGIN,
                        Step.FRAMING,
                        Step.TOP_ORIGIN,
                        Step.CHALLENGE_KNOWN,
                        Step.CHALLENGE_IN_TIME,
                        Step.CHALLENGE_PURPOSE,
                        Step.TOKEN_BINDING);
    }

    /** The type, then the origin and the frame, then the challenge: each fault hides the later ones. */
    @Test
    void the_first_of_several_faults_is_reported() {
        var draft = new Draft();
        draft.tokenBound = true;
        assertThat(refusal(draft)).isEqualTo(Step.TOKEN_BINDING);
        draft.expected = Purpose.DISCOVERY;
        assertThat(refusal(draft)).isEqualTo(Step.CHALLENGE_PURPOSE);
        draft.now = DEADLINE;
        assertThat(refusal(draft)).isEqualTo(Step.CHALLENGE_IN_TIME);
        draft.taken = null;
        assertThat(refusal(draft)).isEqualTo(Step.CHALLENGE_KNOWN);
        draft.topOrigin = FRAME;
        assertThat(refusal(draft)).isEqualTo(Step.TOP_ORIGIN);
        draft.crossOrigin = true;
        assertThat(refusal(draft)).isEqualTo(Step.FRAMING);
        draft.origin = "https://example.org";
        assertThat(refusal(draft)).isEqualTo(Step.ORIGIN);
        draft.type = "webauthn.create";
        assertThat(refusal(draft)).isEqualTo(Step.TYPE);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // frames allowed, crossOrigin, topOrigin, refused
                "-, false, -, -",
                "-, true, -, FRAMING",
                "-, true, https://frame.example, FRAMING",
                "-, false, https://frame.example, TOP_ORIGIN",
                "https://frame.example, false, -, -",
                "https://frame.example, true, https://frame.example, -",
                "https://frame.example, true, -, TOP_ORIGIN",
                "https://frame.example, false, https://frame.example, TOP_ORIGIN",
                "https://frame.example, true, https://example.com, TOP_ORIGIN",
                "https://frame.example, true, https://frame.example:1, TOP_ORIGIN"
            })
    void T26_framing_needs_an_allowed_top_origin(String frames, boolean crossOrigin, String topOrigin, Step refused) {
        var draft = new Draft();
        draft.frames = frames == null ? Set.of() : Set.of(frames);
        draft.crossOrigin = crossOrigin;
        draft.topOrigin = topOrigin;

        assertThat(refusal(draft)).isEqualTo(refused);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // issued, expected, type, refused
                "reg_A, REGISTRATION, webauthn.create, -",
                "cnd_A, REGISTRATION, webauthn.create, -",
                "reg_A, CONDITIONAL_REGISTRATION, webauthn.create, CHALLENGE_PURPOSE",
                "get_A, REGISTRATION, webauthn.create, CHALLENGE_PURPOSE",
                "any_A, REGISTRATION, webauthn.create, CHALLENGE_PURPOSE",
                "get_A, AUTHENTICATION, webauthn.get, -",
                "any_A, DISCOVERY, webauthn.get, -",
                "any_A, AUTHENTICATION, webauthn.get, CHALLENGE_PURPOSE",
                "get_A, DISCOVERY, webauthn.get, CHALLENGE_PURPOSE",
                "cnd_A, AUTHENTICATION, webauthn.get, CHALLENGE_PURPOSE",
                "own_A, AUTHENTICATION, webauthn.get, -"
            })
    void T05_the_purpose_of_a_challenge_must_match(String issued, Purpose expected, String type, Step refused) {
        var draft = new Draft();
        draft.challenge = issued;
        draft.taken = new IssuedChallenge(issued, DEADLINE);
        draft.expected = expected;
        draft.type = type;

        assertThat(refusal(draft)).isEqualTo(refused);
    }

    @Test
    void T07_a_challenge_is_valid_before_its_expiry_and_not_at_it() {
        var draft = new Draft();
        draft.now = DEADLINE - 1;
        assertThat(refusal(draft)).isNull();
        draft.now = DEADLINE;
        assertThat(refusal(draft)).isEqualTo(Step.CHALLENGE_IN_TIME);
    }

    @ParameterizedTest
    @CsvSource({"supported, ", "not-supported, "})
    void T38_only_claimed_token_binding_is_refused(String status, Step refused) throws MalformedException {
        var draft = new Draft();
        String json =
                "{\"type\":\"\",\"challenge\":\"\",\"origin\":\"\",\"tokenBinding\":{\"status\":\"" + status + "\"}}";
        draft.tokenBound = CollectedClientData.parse(Bytes.ofUtf8(json)).tokenBound();

        assertThat(refusal(draft)).isEqualTo(refused);
    }

    @Test
    void T26_the_detail_has_the_top_origin() {
        var draft = new Draft();
        draft.topOrigin = FRAME;
        assertThat(((Verdict.Refused<Purpose>) verify(draft)).result().detail())
                .isEqualTo("expected none, found https://frame.example");
    }

    @Test
    void T09_the_taken_challenge_is_compared_with_the_client_data() {
        var draft = new Draft();
        draft.taken = new IssuedChallenge("get_AAAB", DEADLINE);

        assertThat(refusal(draft)).isEqualTo(Step.CHALLENGE_KNOWN);
    }

    @Test
    void T44_an_untrusted_origin_is_quoted_short_and_printable() {
        var draft = new Draft();
        draft.origin = "a\r\n\u202eb\u00e9" + "x".repeat(1_000);

        var refused = (Verdict.Refused<Purpose>) verify(draft);

        assertThat(refused.result().detail())
                .isEqualTo("expected https://example.com, found a???b\u00e9" + "x".repeat(194) + "…");
    }

    @Test
    void T44_text_within_the_limit_is_quoted_completely() {
        var draft = new Draft();
        draft.origin = "~ " + "x".repeat(198);

        assertThat(((Verdict.Refused<Purpose>) verify(draft)).result().detail())
                .isEqualTo("expected https://example.com, found " + draft.origin);
    }

    @Test
    void the_purpose_of_the_challenge_is_returned() {
        var draft = new Draft();
        draft.challenge = "cnd_A";
        draft.taken = new IssuedChallenge("cnd_A", DEADLINE);
        draft.expected = Purpose.REGISTRATION;
        draft.type = "webauthn.create";

        assertThat(((Verdict.Accepted<Purpose>) verify(draft)).value()).isEqualTo(Purpose.CONDITIONAL_REGISTRATION);
    }

    @Test
    void a_challenge_of_the_application_has_the_expected_purpose() {
        var draft = new Draft();
        draft.challenge = "own";
        draft.taken = new IssuedChallenge("own", DEADLINE);

        assertThat(((Verdict.Accepted<Purpose>) verify(draft)).value()).isEqualTo(Purpose.AUTHENTICATION);
    }

    private Step refusal(Draft draft) {
        return verify(draft) instanceof Verdict.Refused<Purpose> refused
                ? refused.result().step()
                : null;
    }

    private Verdict<Purpose> verify(Draft draft) {
        var party = new RelyingParty(
                "example.com",
                Set.of(OURS),
                draft.frames,
                UserVerification.PREFERRED,
                SignCountPolicy.REJECT,
                List.of(CredentialAlgorithm.ES256));
        var data = new CollectedClientData(
                Bytes.ofUtf8("raw"),
                draft.type,
                draft.challenge,
                draft.origin,
                draft.crossOrigin,
                draft.topOrigin,
                draft.tokenBound);
        var steps = new ClientDataSteps(party);
        return StepRunner.run(
                result -> {
                    if (result.passed()) {
                        passed.add(result.step());
                    }
                },
                () -> 0,
                runner -> steps.check(runner, data, draft.expected, draft.taken, Instant.ofEpochMilli(draft.now)));
    }
}
