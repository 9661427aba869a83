// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage.redis;

import dev.porchlight.passkey.store.StorageException;
import dev.porchlight.server.limit.RateLimit;
import dev.porchlight.server.limit.RateLimiter;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * A rate limit whose budgets all instances share, counted in Redis by Redis's clock. Thread-safe.
 *
 * <p>Requests are counted by slots of ten seconds, as {@link RateLimiter} does, in one hash per key that expires with its
 * last slot. While Redis does not answer, this instance counts alone; since it also counts what Redis let through, nobody
 * starts anew then.
 */
public final class RedisRateLimit implements RateLimit {
    private static final Script SPEND = Script.of(
            "local time = redis.call('TIME')",
            "local now = time[1] * 1000 + math.floor(time[2] / 1000)",
            "local slot = math.floor(now / 10000)",
            "local oldest, spent = slot, 0",
            "local counts = redis.call('HGETALL', KEYS[1])",
            "for i = 1, #counts, 2 do",
            "  local counted = tonumber(counts[i])",
            "  if counted <= slot - 7 then",
            "    redis.call('HDEL', KEYS[1], counts[i])",
            "  else",
            "    spent = spent + counts[i + 1]",
            "    oldest = math.min(oldest, counted)",
            "  end",
            "end",
            "if spent >= tonumber(ARGV[1]) then return oldest * 10000 + 70000 - now end",
            "redis.call('HINCRBY', KEYS[1], slot, 1)",
            "redis.call('PEXPIRE', KEYS[1], 70000)",
            "return 0");

    private final Redis redis;
    private final String name;
    private final String perMinute;
    private final UnaryOperator<String> pseudonyms;
    private final RateLimiter here;

    /**
     * A limit of this name.
     *
     * @param pseudonyms what keys are called in Redis, which need not know addresses and users
     */
    public RedisRateLimit(Redis redis, String name, int perMinute, UnaryOperator<String> pseudonyms) {
        this.redis = redis;
        this.name = name;
        this.perMinute = Integer.toString(perMinute);
        this.pseudonyms = pseudonyms;
        this.here = new RateLimiter(perMinute, System::nanoTime);
    }

    @Override
    public Duration acquire(String key) {
        Object wait;
        try {
            wait = redis.run(SPEND, "porchlight:limit:" + name + ':' + pseudonyms.apply(key), perMinute);
        } catch (StorageException said) { // by the gauge and the log, once
            return here.acquire(key);
        }
        if (wait instanceof Long millis && millis > 0) {
            return Duration.ofMillis(millis);
        }
        var unused = here.acquire(key);
        return Duration.ZERO;
    }
}
