// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import java.time.Clock;
import java.util.List;

/**
 * Used challenges in Redis or Valkey, one key each, which expires by itself. They are as durable as that server: if it
 * loses them in a restart, the challenges of the last minutes can be used again. Redis must not evict keys
 * ({@code maxmemory-policy noeviction}). Thread-safe if the driver is.
 */
public final class RedisUsedChallenges implements UsedChallenges {
    /** Returns a string or nil, because drivers handle the status of SET differently. */
    private static final String USE = "if redis.call('SET', KEYS[1], '', 'NX', 'PX', ARGV[1]) then return 'first' end";

    private static final String PREFIX = "passkey:used:";

    private final RedisChallengeStore.Scripts redis;
    private final Clock clock;

    /** Creates a store. The clock only affects when Redis removes challenges. */
    public RedisUsedChallenges(RedisChallengeStore.Scripts redis, Clock clock) {
        this.redis = redis;
        this.clock = clock;
    }

    @Override
    public boolean use(String id, long expiresAt) {
        long kept = Math.max(0, expiresAt - clock.millis()) + KEPT_AFTER_EXPIRY_MILLIS;
        return RedisChallengeStore.run(redis, USE, PREFIX + id, List.of(Long.toString(kept))) != null;
    }
}
