// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.CeremonyCommit.Result;
import dev.porchlight.passkey.ChallengeKeeper.Issued;
import dev.porchlight.passkey.data.CollectedClientData;
import dev.porchlight.passkey.data.ResponseChallenge;
import dev.porchlight.passkey.verify.IssuedChallenge;
import dev.porchlight.passkey.verify.Purpose;
import dev.porchlight.passkey.verify.Verdict;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Issues challenges and recognizes them in responses. A store that fails, in whatever way, fails the ceremony. */
final class Challenges {
    /** No challenge of any relying party is longer. No store is asked for what cannot be a challenge. */
    private static final Pattern CHALLENGE = Pattern.compile("[A-Za-z0-9_-]{1,256}");

    /** Parses the JSON of a response. */
    @FunctionalInterface
    interface Parser<T> {
        T parse(String json) throws MalformedException;
    }

    /** Client data and the challenge it answers, or null if that was not issued or was used. */
    record Answered(CollectedClientData client, @Nullable IssuedChallenge challenge) {}

    private final ChallengeKeeper keeper;
    private final Clock clock;
    private final Duration ttl;

    Challenges(ChallengeKeeper keeper, Clock clock, Duration ttl) {
        this.keeper = keeper;
        this.clock = clock;
        this.ttl = ttl;
    }

    String issue(@Nullable String userId, Purpose purpose, OperationTimer timer) {
        long expiresAt = clock.millis() + ttl.toMillis();
        return asking(timer, () -> keeper.issue(userId, purpose, expiresAt));
    }

    /** Parses a response. A malformed one uses up the challenge it answers too, if that can be found in it. */
    <T> Verdict<T> received(
            @Nullable String json, Parser<T> parser, @Nullable String userId, Instant now, OperationTimer timer) {
        if (json == null) {
            return Verdict.refused(Step.RESPONSE, "no response");
        }
        Verdict<T> read = timer.reading(Step.RESPONSE, () -> parser.parse(json));
        if (read instanceof Verdict.Refused) {
            var unused = take(userId, ResponseChallenge.inResponse(json), now, timer);
        }
        return read;
    }

    /** Parses client data and takes the challenge it answers, before anything is judged: a refusal uses it up too. */
    Verdict<Answered> answered(Bytes clientDataJson, @Nullable String userId, Instant now, OperationTimer timer) {
        Verdict<CollectedClientData> read =
                timer.reading(Step.CLIENT_DATA, () -> CollectedClientData.parse(clientDataJson));
        if (read instanceof Verdict.Refused) {
            var unused = take(userId, ResponseChallenge.inClientData(clientDataJson), now, timer);
        }
        return read.then(
                data -> new Verdict.Accepted<>(new Answered(data, take(userId, data.challenge(), now, timer))));
    }

    /** Whether this service issued a challenge to this user not long ago, whether or not it was used. */
    boolean isIssued(@Nullable String userId, String challenge) {
        return CHALLENGE.matcher(challenge).matches() && keeper.isIssued(userId, challenge, clock.instant());
    }

    /** The keeper and the steps judge the expiry at one and the same moment: what is accepted in time is marked as used. */
    private @Nullable IssuedChallenge take(
            @Nullable String userId, @Nullable String challenge, Instant now, OperationTimer timer) {
        if (challenge == null || !CHALLENGE.matcher(challenge).matches()) {
            return null;
        }
        Issued issued = asking(timer, () -> keeper.answered(userId, challenge, now));
        if (issued == null) {
            return null;
        }
        timer.answered(issued.toUse());
        return issued.challenge();
    }

    /** The verdict on a unit that was refused because its challenge was used before. */
    static <T> Verdict<T> refused(Result result) {
        if (result != Result.CHALLENGE_USED) {
            throw new StorageException("a commit ended with " + result + ", which it cannot");
        }
        return Verdict.refused(Step.CHALLENGE_KNOWN, "used before");
    }

    private static <T extends @Nullable Object> T asking(OperationTimer timer, Supplier<T> question) {
        return timer.spending(OperationPhase.CHALLENGE_STORE, () -> {
            try {
                return question.get();
            } catch (StorageException e) {
                throw e;
            } catch (RuntimeException e) {
                throw new StorageException("the challenge store failed", e);
            }
        });
    }
}
