// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.data.CollectedClientData;
import dev.porchlight.passkey.data.TokenBinding;
import dev.porchlight.passkey.store.StoredChallenge;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientDataCeremonyTest {
    private static final String OURS = "https://example.com";
    private static final String FRAME = "https://frame.example";
    private static final String CHALLENGE = "get_AAAA";
    private static final long DEADLINE = 1_000;

    private final List<Step> passed = new ArrayList<>();

    /** Client data that is right, and what is to be wrong with it. */
    private static final class Draft {
        private String type = "webauthn.get";
        private String challenge = CHALLENGE;
        private String origin = OURS;
        private boolean crossOrigin;
        private String topOrigin;
        private TokenBinding binding;
        private StoredChallenge taken = new StoredChallenge(CHALLENGE, DEADLINE);
        private Set<String> frames = Set.of();
        private long now = DEADLINE - 1;
        private Purpose expected = Purpose.AUTHENTICATION;
    }

    @Test
    void accepts_what_is_right_and_tells_of_each_step_in_order() {
        assertThat(judge(new Draft())).isInstanceOf(Verdict.Accepted.class);
        assertThat(passed)
                .containsExactly(
                        Step.TYPE_MISMATCH,
                        Step.ORIGIN_MISMATCH,
                        Step.CROSS_ORIGIN,
                        Step.TOP_ORIGIN,
                        Step.CHALLENGE_NOT_FOUND,
                        Step.CHALLENGE_EXPIRED,
                        Step.WRONG_CEREMONY,
                        Step.TOKEN_BINDING);
    }

    /** The type, then the origin and the frame, then the challenge: each fault hides those after it. */
    @Test
    void tells_the_first_of_several_faults() {
        var draft = new Draft();
        draft.binding = new TokenBinding("present", Bytes.ofUtf8("id"));
        assertThat(refusal(draft)).isEqualTo(Step.TOKEN_BINDING);
        draft.expected = Purpose.DISCOVERY;
        assertThat(refusal(draft)).isEqualTo(Step.WRONG_CEREMONY);
        draft.now = DEADLINE;
        assertThat(refusal(draft)).isEqualTo(Step.CHALLENGE_EXPIRED);
        draft.taken = null;
        assertThat(refusal(draft)).isEqualTo(Step.CHALLENGE_NOT_FOUND);
        draft.topOrigin = FRAME;
        assertThat(refusal(draft)).isEqualTo(Step.TOP_ORIGIN);
        draft.crossOrigin = true;
        assertThat(refusal(draft)).isEqualTo(Step.CROSS_ORIGIN);
        draft.origin = "https://example.org";
        assertThat(refusal(draft)).isEqualTo(Step.ORIGIN_MISMATCH);
        draft.type = "webauthn.create";
        assertThat(refusal(draft)).isEqualTo(Step.TYPE_MISMATCH);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // frames allowed, crossOrigin, topOrigin, refused
                "-, false, -, -",
                "-, true, -, CROSS_ORIGIN",
                "-, true, https://frame.example, CROSS_ORIGIN",
                "-, false, https://frame.example, TOP_ORIGIN",
                "https://frame.example, false, -, -",
                "https://frame.example, true, https://frame.example, -",
                "https://frame.example, true, -, TOP_ORIGIN",
                "https://frame.example, false, https://frame.example, TOP_ORIGIN",
                "https://frame.example, true, https://example.com, TOP_ORIGIN",
                "https://frame.example, true, https://frame.example:1, TOP_ORIGIN"
            })
    void P26_judges_the_frame_around_the_page(String frames, boolean crossOrigin, String topOrigin, Step refused) {
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
                "reg_A, CONDITIONAL_REGISTRATION, webauthn.create, WRONG_CEREMONY",
                "get_A, REGISTRATION, webauthn.create, WRONG_CEREMONY",
                "any_A, REGISTRATION, webauthn.create, WRONG_CEREMONY",
                "get_A, AUTHENTICATION, webauthn.get, -",
                "any_A, DISCOVERY, webauthn.get, -",
                "any_A, AUTHENTICATION, webauthn.get, WRONG_CEREMONY",
                "get_A, DISCOVERY, webauthn.get, WRONG_CEREMONY",
                "cnd_A, AUTHENTICATION, webauthn.get, WRONG_CEREMONY",
                "own_A, AUTHENTICATION, webauthn.get, -"
            })
    void P05_judges_what_a_challenge_was_issued_for(String issued, Purpose expected, String type, Step refused) {
        var draft = new Draft();
        draft.challenge = issued;
        draft.taken = new StoredChallenge(issued, DEADLINE);
        draft.expected = expected;
        draft.type = type;

        assertThat(refusal(draft)).isEqualTo(refused);
    }

    @Test
    void P07_a_challenge_is_good_up_to_its_deadline_and_not_at_it() {
        var draft = new Draft();
        draft.now = DEADLINE - 1;
        assertThat(refusal(draft)).isNull();
        draft.now = DEADLINE;
        assertThat(refusal(draft)).isEqualTo(Step.CHALLENGE_EXPIRED);
    }

    @ParameterizedTest
    @CsvSource({"supported, ", "not-supported, "})
    void P38_a_browser_may_say_that_it_could_bind_tokens(String status, Step refused) {
        var draft = new Draft();
        draft.binding = new TokenBinding(status, null);

        assertThat(refusal(draft)).isEqualTo(refused);
    }

    @Test
    void P26_says_what_is_wrong_with_the_frame() {
        var draft = new Draft();
        draft.topOrigin = FRAME;
        assertThat(((Verdict.Refused<AcceptedClientData>) judge(draft)).detail())
                .isEqualTo("a framing page, and no frame");
    }

    @Test
    void P09_compares_the_challenge_that_was_taken_with_the_one_in_the_client_data() {
        var draft = new Draft();
        draft.taken = new StoredChallenge("get_AAAB", DEADLINE);

        assertThat(refusal(draft)).isEqualTo(Step.CHALLENGE_NOT_FOUND);
    }

    @Test
    void P44_quotes_a_strangers_origin_short_and_printable() {
        var draft = new Draft();
        draft.origin = "a\r\n\"b\u00e9" + "x".repeat(1_000);

        var refused = (Verdict.Refused<AcceptedClientData>) judge(draft);

        assertThat(refused.detail()).isEqualTo("not an origin of ours: \"a???b?" + "x".repeat(58) + "…\"");
    }

    @Test
    void P44_quotes_what_just_fits_whole() {
        var draft = new Draft();
        draft.origin = "~ " + "x".repeat(62);

        assertThat(((Verdict.Refused<AcceptedClientData>) judge(draft)).detail())
                .isEqualTo("not an origin of ours: \"" + draft.origin + "\"");
    }

    @Test
    void hands_on_the_purpose_the_origin_and_the_hash() {
        var draft = new Draft();
        draft.challenge = "cnd_A";
        draft.taken = new StoredChallenge("cnd_A", DEADLINE);
        draft.expected = Purpose.REGISTRATION;
        draft.type = "webauthn.create";

        var accepted = ((Verdict.Accepted<AcceptedClientData>) judge(draft)).value();

        assertThat(accepted.purpose()).isEqualTo(Purpose.CONDITIONAL_REGISTRATION);
        assertThat(accepted.origin()).isEqualTo(OURS);
        assertThat(accepted.hash()).isEqualTo(Bytes.ofUtf8("raw").sha256());
    }

    @Test
    void takes_a_challenge_of_the_applications_own_for_what_was_expected() {
        var draft = new Draft();
        draft.challenge = "own";
        draft.taken = new StoredChallenge("own", DEADLINE);

        assertThat(((Verdict.Accepted<AcceptedClientData>) judge(draft)).value().purpose())
                .isEqualTo(Purpose.AUTHENTICATION);
    }

    private Step refusal(Draft draft) {
        return judge(draft) instanceof Verdict.Refused<AcceptedClientData> refused ? refused.step() : null;
    }

    private Verdict<AcceptedClientData> judge(Draft draft) {
        var party = new RelyingParty(
                "example.com", Set.of(OURS), draft.frames, UserVerification.PREFERRED, SignCountPolicy.REJECT);
        var data = new CollectedClientData(
                Bytes.ofUtf8("raw"),
                draft.type,
                draft.challenge,
                draft.origin,
                draft.crossOrigin,
                draft.topOrigin,
                draft.binding);
        var observer = new StepObserver() {
            @Override
            public void passed(Step step, long nanos) {
                passed.add(step);
            }

            @Override
            public void signatureVerified(long nanos) {}
        };
        return new ClientDataCeremony(party, () -> 0)
                .judge(data, draft.expected, draft.taken, Instant.ofEpochMilli(draft.now), observer);
    }
}
