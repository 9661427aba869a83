// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.data.CollectedClientData;
import dev.porchlight.passkey.data.TokenBinding;
import dev.porchlight.passkey.store.StoredChallenge;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Steps 7 to 10 of registration and 11 to 14 of authentication: is this an answer to us, in time, from a page of ours.
 * None of them needs to know the user or the credential. Thread-safe.
 *
 * <p>The challenge has been taken from its store by now, whatever comes of this. Of several faults the first is told: the
 * type, then the origin, then the challenge.
 */
public final class ClientDataCeremony {
    private final RelyingParty party;
    private final LongSupplier nanoTime;

    /** The time source is for measuring only. */
    public ClientDataCeremony(RelyingParty party, LongSupplier nanoTime) {
        this.party = party;
        this.nanoTime = nanoTime;
    }

    /**
     * Judges client data.
     *
     * @param data what was received
     * @param expected what its challenge should have been issued for
     * @param taken the challenge as it was taken from the store, or null if it was not there
     * @param now when
     */
    public Verdict<AcceptedClientData> judge(
            CollectedClientData data,
            Purpose expected,
            @Nullable StoredChallenge taken,
            Instant now,
            StepObserver observer) {
        return Steps.judge(observer, nanoTime, steps -> {
            steps.require(Step.TYPE_MISMATCH, wrongType(data, expected));
            steps.require(Step.ORIGIN_MISMATCH, foreignOrigin(data));
            steps.require(Step.CROSS_ORIGIN, framed(data));
            steps.require(Step.TOP_ORIGIN, framedByStranger(data));
            steps.require(Step.CHALLENGE_NOT_FOUND, notTaken(data, taken));
            steps.require(Step.CHALLENGE_EXPIRED, late(taken, now));
            Purpose issued = Purpose.of(data.challenge());
            steps.require(Step.WRONG_CEREMONY, otherPurpose(issued, expected));
            steps.require(Step.TOKEN_BINDING, boundToken(data));
            return new AcceptedClientData(issued == null ? expected : issued, data);
        });
    }

    private static @Nullable String wrongType(CollectedClientData data, Purpose expected) {
        return data.type().equals(expected.type()) ? null : "the type is not " + expected.type();
    }

    /** The store was asked for this very challenge, and is not trusted to have compared it. */
    private static @Nullable String notTaken(CollectedClientData data, @Nullable StoredChallenge taken) {
        boolean same =
                taken != null && Bytes.ofUtf8(taken.challenge()).equalsInConstantTime(Bytes.ofUtf8(data.challenge()));
        return same ? null : "never issued, or spent";
    }

    private static @Nullable String late(@Nullable StoredChallenge taken, Instant now) {
        return taken != null && now.toEpochMilli() < taken.expiresAt() ? null : "issued too long ago";
    }

    private static @Nullable String otherPurpose(@Nullable Purpose issued, Purpose expected) {
        return issued == null || expected.admits(issued) ? null : "the challenge was issued for " + issued;
    }

    /** Byte for byte: no case folding, no default ports, no suffixes. */
    private @Nullable String foreignOrigin(CollectedClientData data) {
        return party.origins().contains(data.origin()) ? null : "not an origin of ours: " + Excerpt.of(data.origin());
    }

    /** A page in a frame of another origin may have been made to look like something else. */
    private @Nullable String framed(CollectedClientData data) {
        return data.crossOrigin() && party.topOrigins().isEmpty() ? "framed by a page of another origin" : null;
    }

    private @Nullable String framedByStranger(CollectedClientData data) {
        String top = data.topOrigin();
        if (top == null) {
            return data.crossOrigin() ? "framed by a page that is not named" : null;
        }
        if (!data.crossOrigin()) {
            return "a framing page, and no frame";
        }
        return party.topOrigins().contains(top) ? null : "framed by " + Excerpt.of(top);
    }

    /** A browser that only says it could is fine, and Level 3 has dropped all of it. */
    private static @Nullable String boundToken(CollectedClientData data) {
        TokenBinding binding = data.tokenBinding();
        return binding == null || binding.id() == null ? null : "claims a bound token";
    }
}
