// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import java.time.Clock;
import java.util.List;

/**
 * Used challenges in Redis or Valkey, one key each, which expires by itself. As durable as that server: a restart that
 * loses them makes the challenges of the last minutes usable once more. Thread-safe if the driver is.
 */
public final class RedisUsedChallenges implements UsedChallenges {
    private static final String USE = "return redis.call('SET', KEYS[1], '', 'NX', 'PX', ARGV[1])";
    private static final String PREFIX = "passkey:used:";

    private final RedisChallengeStore.Scripts redis;
    private final Clock clock;

    /** The clock decides only how long Redis keeps what is stored. */
    public RedisUsedChallenges(RedisChallengeStore.Scripts redis, Clock clock) {
        this.redis = redis;
        this.clock = clock;
    }

    @Override
    public boolean use(String id, long expiresAt) {
        long kept = Math.max(1, expiresAt + KEPT_AFTER_EXPIRY_MILLIS - clock.millis());
        try {
            return redis.eval(USE, List.of(PREFIX + id), List.of(Long.toString(kept))) != null;
        } catch (StorageException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new StorageException("Redis could not mark a challenge as used", e);
        }
    }
}
