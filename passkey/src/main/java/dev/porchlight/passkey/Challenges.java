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

/** Issues challenges and recognizes them in responses. Any failure of the store fails the ceremony. */
record Challenges(ChallengeKeeper keeper, Clock clock, Duration ttl) {
    /** The store is not queried for other texts. */
    private static final Pattern CHALLENGE = Pattern.compile("[A-Za-z0-9_-]{1,256}");

    @FunctionalInterface
    interface Parser<T> {
        T parse(String json) throws MalformedException;
    }

    /** Client data, and its challenge as issued; null if it was not issued or was already used. */
    record ClientDataWithChallenge(
            CollectedClientData client, @Nullable IssuedChallenge challenge) {}

    String issue(@Nullable String userId, Purpose purpose, OperationTimer timer) {
        long expiresAt = clock.millis() + ttl.toMillis();
        return callKeeper(timer, () -> keeper.issue(userId, purpose, expiresAt));
    }

    /** Parses a response. A malformed one also uses its challenge, if it contains one. */
    <T> Verdict<T> parse(
            @Nullable String json, Parser<T> parser, @Nullable String userId, Instant now, OperationTimer timer) {
        if (json == null) {
            return Verdict.refused(Step.RESPONSE, "no response");
        }
        Verdict<T> read = timer.parse(Step.RESPONSE, () -> parser.parse(json));
        if (read instanceof Verdict.Refused) {
            var unused = take(userId, ResponseChallenge.inResponse(json), now, timer);
        }
        return read;
    }

    /** Parses client data and takes its challenge before any verification, so that a refused response uses it too. */
    Verdict<ClientDataWithChallenge> takeChallenge(
            Bytes clientDataJson, @Nullable String userId, Instant now, OperationTimer timer) {
        Verdict<CollectedClientData> read =
                timer.parse(Step.CLIENT_DATA, () -> CollectedClientData.parse(clientDataJson));
        if (read instanceof Verdict.Refused) {
            var unused = take(userId, ResponseChallenge.inClientData(clientDataJson), now, timer);
        }
        return read.then(data ->
                new Verdict.Accepted<>(new ClientDataWithChallenge(data, take(userId, data.challenge(), now, timer))));
    }

    /** Returns whether this service recently issued a challenge to this user, used or not. */
    boolean isIssued(@Nullable String userId, String challenge) {
        return CHALLENGE.matcher(challenge).matches() && keeper.isIssued(userId, challenge, clock.instant());
    }

    /** Uses the same time as the steps, so that every challenge they accept is also marked as used. */
    private @Nullable IssuedChallenge take(
            @Nullable String userId, @Nullable String challenge, Instant now, OperationTimer timer) {
        if (challenge == null || !CHALLENGE.matcher(challenge).matches()) {
            return null;
        }
        Issued issued = callKeeper(timer, () -> keeper.take(userId, challenge, now));
        if (issued == null) {
            return null;
        }
        timer.challengeTaken(issued.toUse());
        return issued.challenge();
    }

    /** Returns the verdict on a commit that was refused because its challenge was used before. */
    static <T> Verdict<T> refused(Result result) {
        if (result != Result.CHALLENGE_USED) {
            throw new StorageException("unexpected commit result " + result);
        }
        return Verdict.refused(Step.CHALLENGE_KNOWN, "used before");
    }

    private static <T extends @Nullable Object> T callKeeper(OperationTimer timer, Supplier<T> call) {
        return timer.timed(OperationPhase.CHALLENGE_STORE, () -> {
            try {
                return call.get();
            } catch (StorageException e) {
                throw e;
            } catch (RuntimeException e) {
                throw new StorageException("the challenge store failed", e);
            }
        });
    }
}
