// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.data.AnsweredChallenge;
import dev.porchlight.passkey.data.Bytes;
import dev.porchlight.passkey.data.CollectedClientData;
import dev.porchlight.passkey.data.MalformedException;
import dev.porchlight.passkey.store.ChallengeStore;
import dev.porchlight.passkey.store.StorageException;
import dev.porchlight.passkey.store.StoredChallenge;
import dev.porchlight.passkey.verify.AcceptedClientData;
import dev.porchlight.passkey.verify.ClientDataCeremony;
import dev.porchlight.passkey.verify.Purpose;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.passkey.verify.Verdict;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Issues challenges into the store, and takes out those that are answered. A store that fails, in whatever way, fails
 * the ceremony.
 */
final class Challenges {
    /** No challenge of any relying party is longer. */
    private static final int MAX_CHARS = 256;

    /** Parses the JSON of a response. */
    @FunctionalInterface
    interface Parser<T> {
        T parse(String json) throws MalformedException;
    }

    private final ChallengeStore store;
    private final ClientDataCeremony ceremony;
    private final SecureRandom random;
    private final Clock clock;
    private final Duration ttl;

    Challenges(ChallengeStore store, ClientDataCeremony ceremony, SecureRandom random, Clock clock, Duration ttl) {
        this.store = store;
        this.ceremony = ceremony;
        this.random = random;
        this.clock = clock;
        this.ttl = ttl;
    }

    String issue(@Nullable String userId, Purpose purpose, Watch watch) {
        String challenge = purpose.challenge(random);
        long expiresAt = clock.millis() + ttl.toMillis();
        asking(watch, () -> {
            store.setChallenge(key(userId, challenge), challenge, expiresAt);
            return null;
        });
        return challenge;
    }

    /** Reads a response. One that cannot be read spends the challenge it answers, as far as that can be made out. */
    <T> Verdict<T> received(@Nullable String json, Parser<T> parser, @Nullable String userId, Watch watch) {
        if (json == null) {
            return new Verdict.Refused<>(Step.MALFORMED_RESPONSE, "no response");
        }
        Verdict<T> read = watch.reading(Step.MALFORMED_RESPONSE, () -> parser.parse(json));
        if (read instanceof Verdict.Refused) {
            take(userId, AnsweredChallenge.inResponse(json), watch);
        }
        return read;
    }

    /** Reads client data, spends the challenge it answers, and only then has it judged: a bad answer spends it too. */
    Verdict<AcceptedClientData> answered(
            Bytes clientDataJson, @Nullable String userId, Purpose expected, Instant now, Watch watch) {
        Verdict<CollectedClientData> read =
                watch.reading(Step.MALFORMED_CLIENT_DATA, () -> CollectedClientData.parse(clientDataJson));
        if (read instanceof Verdict.Refused) {
            take(userId, AnsweredChallenge.inClientData(clientDataJson), watch);
        }
        return read.then(data -> ceremony.judge(data, expected, take(userId, data.challenge(), watch), now, watch));
    }

    private @Nullable StoredChallenge take(@Nullable String userId, @Nullable String challenge, Watch watch) {
        if (challenge == null || !isBase64Url(challenge)) {
            return null;
        }
        return asking(watch, () -> store.takeChallenge(key(userId, challenge), challenge));
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

    /** Where no user is named, a challenge is its own key, so that any number of strangers can be signing in at once. */
    private static String key(@Nullable String userId, String challenge) {
        return userId == null ? "~" + challenge : userId;
    }

    private static @Nullable StoredChallenge asking(Watch watch, Supplier<@Nullable StoredChallenge> question) {
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
