// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.DisplayText;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.data.CollectedClientData;
import dev.porchlight.passkey.verify.StepRunner.RefusedException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Checks the client data: steps 7 to 10 of registration and 11 to 14 of authentication. The response must be to a challenge
 * of this service, in time, from a page of the relying party. No check needs the user or the credential. Thread-safe.
 */
record ClientDataSteps(RelyingParty party) {
    /**
     * Checks client data after its challenge was taken from the store.
     *
     * @param expected the expected purpose of the challenge
     * @param issued the challenge as issued, or null if it was not issued or was already used
     * @return the purpose of the challenge
     */
    Purpose check(
            StepRunner steps, CollectedClientData data, Purpose expected, @Nullable IssuedChallenge issued, Instant now)
            throws RefusedException {
        steps.check(Step.TYPE, data.type().equals(expected.type()), expected::type, () -> DisplayText.of(data.type()));
        // Compared byte for byte: no case folding, no default ports, no suffixes.
        steps.check(
                Step.ORIGIN,
                party.origins().contains(data.origin()),
                () -> DisplayText.oneOf(party.origins()),
                () -> DisplayText.of(data.origin()));
        // A page in a frame of another origin may be part of a clickjacking attack.
        boolean framable = !party.topOrigins().isEmpty();
        steps.check(
                Step.FRAMING,
                framable || !data.crossOrigin(),
                () -> framable ? "a top-level page or an allowed frame" : "a page that is not framed by another origin",
                () -> data.crossOrigin() ? "framed by another origin" : "not framed");
        steps.check(
                Step.TOP_ORIGIN,
                isAllowedFrame(data),
                () -> !data.crossOrigin() ? "none" : framable ? DisplayText.oneOf(party.topOrigins()) : "no frame",
                () -> data.topOrigin() != null
                        ? DisplayText.of(data.topOrigin())
                        : data.crossOrigin() ? "a frame that names no page" : "none");
        steps.check(
                Step.CHALLENGE_KNOWN,
                isSame(data, issued),
                () -> issued == null
                        ? "a challenge that was issued and not yet used"
                        : DisplayText.prefix(issued.challenge()),
                () -> DisplayText.prefix(data.challenge()));
        steps.check(
                Step.CHALLENGE_IN_TIME,
                issued != null && now.toEpochMilli() < issued.expiresAt(),
                () -> "a response before the challenge expires",
                () -> issued == null || now.toEpochMilli() < issued.expiresAt()
                        ? "a response in time"
                        : "a response " + (now.toEpochMilli() - issued.expiresAt()) / 1000 + " s too late");
        Purpose purpose = Purpose.of(data.challenge());
        steps.check(
                Step.CHALLENGE_PURPOSE,
                purpose == null || expected.accepts(purpose),
                expected::description,
                () -> purpose == null ? "a challenge created by the application" : purpose.description());
        // A browser that only supports token binding passes. Level 3 dropped token binding.
        boolean bound = data.tokenBound();
        steps.check(Step.TOKEN_BINDING, !bound, () -> "none", () -> bound ? "a claimed binding" : "none");
        return purpose == null ? expected : purpose;
    }

    private boolean isAllowedFrame(CollectedClientData data) {
        return data.crossOrigin()
                ? data.topOrigin() != null && party.topOrigins().contains(data.topOrigin())
                : data.topOrigin() == null;
    }

    /** Compares the challenge again, because the store may not have. */
    private static boolean isSame(CollectedClientData data, @Nullable IssuedChallenge issued) {
        return issued != null && Bytes.ofUtf8(issued.challenge()).equalsInConstantTime(Bytes.ofUtf8(data.challenge()));
    }
}
