// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.CeremonyCommit.Result;
import dev.porchlight.passkey.ChallengeKeeper.Issued;
import dev.porchlight.passkey.data.AnsweredChallenge;
import dev.porchlight.passkey.data.CollectedClientData;
import dev.porchlight.passkey.store.StoredChallenge;
import dev.porchlight.passkey.verify.AcceptedClientData;
import dev.porchlight.passkey.verify.ClientDataCeremony;
import dev.porchlight.passkey.verify.Purpose;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.passkey.verify.Verdict;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Issues challenges and recognizes them in responses. A store that fails, in whatever way, fails the ceremony. */
final class Challenges {
    /** No challenge of any relying party is longer. */
    private static final int MAX_CHARS = 256;

    /** Parses the JSON of a response. */
    @FunctionalInterface
    interface Parser<T> {
        T parse(String json) throws MalformedException;
    }

    private final ChallengeKeeper keeper;
    private final ClientDataCeremony ceremony;
    private final Clock clock;
    private final Duration ttl;

    Challenges(ChallengeKeeper keeper, ClientDataCeremony ceremony, Clock clock, Duration ttl) {
        this.keeper = keeper;
        this.ceremony = ceremony;
        this.clock = clock;
        this.ttl = ttl;
    }

    String issue(@Nullable String userId, Purpose purpose, Watch watch) {
        long expiresAt = clock.millis() + ttl.toMillis();
        return asking(watch, () -> keeper.issue(userId, purpose, expiresAt));
    }

    /** Parses a response. A malformed one uses up the challenge it answers too, if that can be found in it. */
    <T> Verdict<T> received(
            @Nullable String json, Parser<T> parser, @Nullable String userId, Instant now, Watch watch) {
        if (json == null) {
            return new Verdict.Refused<>(Step.MALFORMED_RESPONSE, "no response");
        }
        Verdict<T> read = watch.reading(Step.MALFORMED_RESPONSE, () -> parser.parse(json));
        if (read instanceof Verdict.Refused) {
            var unused = take(userId, AnsweredChallenge.inResponse(json), now, watch);
        }
        return read;
    }

    /** Parses client data, takes the challenge it answers, and only then judges it: a refusal uses it up too. */
    Verdict<AcceptedClientData> answered(
            Bytes clientDataJson, @Nullable String userId, Purpose expected, Instant now, Watch watch) {
        Verdict<CollectedClientData> read =
                watch.reading(Step.MALFORMED_CLIENT_DATA, () -> CollectedClientData.parse(clientDataJson));
        if (read instanceof Verdict.Refused) {
            var unused = take(userId, AnsweredChallenge.inClientData(clientDataJson), now, watch);
        }
        return read.then(
                data -> ceremony.judge(data, expected, take(userId, data.challenge(), now, watch), now, watch));
    }

    /** Whether this service issued a challenge to this user not long ago, whether or not it was used. */
    boolean isIssued(@Nullable String userId, String challenge) {
        return isBase64Url(challenge) && keeper.isIssued(userId, challenge, clock.instant());
    }

    /** The keeper and the steps judge the expiry at one and the same moment: what is accepted in time is marked as used. */
    private @Nullable StoredChallenge take(
            @Nullable String userId, @Nullable String challenge, Instant now, Watch watch) {
        if (challenge == null || !isBase64Url(challenge)) {
            return null;
        }
        Issued issued = asking(watch, () -> keeper.answered(userId, challenge, now));
        if (issued == null) {
            return null;
        }
        watch.answered(issued.toUse());
        return issued.challenge();
    }

    /** No store is asked for what cannot be a challenge. */
    private static boolean isBase64Url(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean known =
                    c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_';
            if (!known) {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= MAX_CHARS;
    }

    /** The verdict on a unit that was refused because its challenge was used before. */
    static <T> Verdict<T> refused(Result result) {
        if (result != Result.CHALLENGE_USED) {
            throw new StorageException("a commit ended with " + result + ", which it cannot");
        }
        return new Verdict.Refused<>(Step.CHALLENGE_NOT_FOUND, "used before");
    }

    private static <T extends @Nullable Object> T asking(Watch watch, Supplier<T> question) {
        return watch.spending(Phase.CHALLENGE_STORE, () -> {
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
