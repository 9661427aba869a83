// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.base.sql.StorageException;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Challenges in Redis or Valkey, shared by all instances that use it. Thread-safe if the driver is.
 *
 * <p>A user's challenges are one sorted set, so every operation is one script on one key: atomic, also in a cluster. The set
 * holds at most {@link MemoryChallengeStore#PER_USER} challenges, those that expire last, and expires with them.
 *
 * <p>This class needs no driver: the application passes its own, with Jedis {@code new RedisChallengeStore(jedis::eval)}.
 */
public final class RedisChallengeStore implements ChallengeStore {
    /** The maximum number of outstanding challenges per user. */
    public static final int PER_USER = MemoryChallengeStore.PER_USER;

    private static final String NEWEST = "return redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')";
    private static final String STORE = """
            redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
            redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
            redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -ARGV[4] - 1)
            if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[5]) then redis.call('PEXPIRE', KEYS[1], ARGV[5]) end
            """;
    private static final String CLEAR = "redis.call('DEL', KEYS[1])";
    private static final String TAKE = """
            local expiry = redis.call('ZSCORE', KEYS[1], ARGV[1])
            redis.call('ZREM', KEYS[1], ARGV[1])
            return expiry
            """;

    private final Scripts redis;
    private final Clock clock;

    /** Runs scripts in Redis. Implementations must be thread-safe. */
    @FunctionalInterface
    public interface Scripts {
        /**
         * Runs a script with the command {@code EVAL}. A failure is an unchecked exception.
         *
         * @return a string for a bulk string, a list of strings for an array, null for nil
         */
        @Nullable
        Object eval(String script, List<String> keys, List<String> arguments);
    }

    /** Creates a store with the system clock. */
    public RedisChallengeStore(Scripts redis) {
        this(redis, Clock.systemUTC());
    }

    /** Creates a store. The clock only affects when Redis removes challenges. */
    public RedisChallengeStore(Scripts redis, Clock clock) {
        this.redis = redis;
        this.clock = clock;
    }

    @Override
    public @Nullable StoredChallenge getChallenge(String userId) {
        Object newest = run(NEWEST, userId);
        return newest instanceof List<?> pair && pair.size() == 2
                ? new StoredChallenge(String.valueOf(pair.get(0)), expiry(pair.get(1)))
                : null;
    }

    @Override
    public void setChallenge(String userId, String challenge, long expiresAt) {
        long now = clock.millis();
        long forgotten = now - MemoryChallengeStore.GRACE_MILLIS;
        run(
                STORE,
                userId,
                challenge,
                Long.toString(expiresAt),
                "(" + forgotten,
                Integer.toString(PER_USER),
                Long.toString(Math.max(expiresAt - forgotten, 1)));
    }

    @Override
    public void clearChallenge(String userId) {
        run(CLEAR, userId);
    }

    @Override
    public @Nullable StoredChallenge takeChallenge(String userId, String challenge) {
        Object expiry = run(TAKE, userId, challenge);
        return expiry == null ? null : new StoredChallenge(challenge, expiry(expiry));
    }

    private @Nullable Object run(String script, String userId, String... arguments) {
        return run(redis, script, "passkey:challenge:" + userId, List.of(arguments));
    }

    static @Nullable Object run(Scripts redis, String script, String key, List<String> arguments) {
        try {
            return redis.eval(script, List.of(key), arguments);
        } catch (StorageException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new StorageException("Redis failed", e);
        }
    }

    /** Parses a score. A double is exact for milliseconds of the next hundred thousand years. */
    private static long expiry(Object score) {
        return (long) Double.parseDouble(String.valueOf(score));
    }
}
