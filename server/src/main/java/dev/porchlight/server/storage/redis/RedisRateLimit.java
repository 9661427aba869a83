// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage.redis;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.limit.RateLimit;
import dev.porchlight.server.limit.RateLimiter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * A rate limit that all instances share, by Redis's clock. Thread-safe.
 *
 * <p>It stores the time at which a key's budget will be full again, like {@link RateLimiter}, in microseconds; then the key
 * expires. While Redis is unavailable, this instance counts alone. It also counts requests that Redis accepted, so that no
 * key then restarts with a full budget: a limit is never off.
 */
public final class RedisRateLimit implements RateLimit {
    /** If the clock is set back, for example by a failover, no key waits longer than the largest debt takes. */
    private static final Redis.Script SPEND = Redis.Script.of(
            "local time = redis.call('TIME')",
            "local now = time[1] * 1000000 + time[2]",
            "local fill = 60000000",
            "local quarter = fill / ARGV[1]",
            "local full = tonumber(redis.call('GET', KEYS[1]) or now)",
            "full = math.min(math.max(full, now), now + 2 * fill)",
            "if ARGV[3] ~= 'any' then",
            "  local wait = math.ceil(full + ARGV[3] * quarter - fill - now)",
            "  if wait > 0 then return wait end",
            "end",
            "if ARGV[2] ~= '0' then",
            "  full = math.min(full + ARGV[2] * quarter, now + 2 * fill)",
            "  redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))",
            "end",
            "return 0");

    private final Redis redis;
    private final String name;
    private final String quartersPerMinute;
    private final UnaryOperator<String> pseudonyms;
    private final RateLimiter here;

    /**
     * Creates a named limit.
     *
     * @param pseudonyms maps keys to names in Redis, which do not reveal addresses and users
     * @param nanoTime a monotonic clock, used while Redis is unavailable
     */
    public RedisRateLimit(
            Redis redis, String name, int perMinute, UnaryOperator<String> pseudonyms, LongSupplier nanoTime) {
        this.redis = redis;
        this.name = name;
        this.quartersPerMinute = Long.toString((long) perMinute * WHOLE);
        this.pseudonyms = pseudonyms;
        this.here = new RateLimiter(perMinute, nanoTime);
    }

    @Override
    public Duration spend(String key, int cost, int needed) {
        long wait;
        try {
            wait = redis.run(
                    Long.class,
                    SPEND,
                    "porchlight:limit:" + name + ':' + pseudonyms.apply(key),
                    quartersPerMinute,
                    Integer.toString(cost),
                    needed == ANYTHING ? "any" : Integer.toString(needed));
        } catch (StorageException reported) { // reported by the gauge and the health check
            return here.spend(key, cost, needed);
        }
        if (wait > 0) {
            return Duration.of(wait, ChronoUnit.MICROS);
        }
        here.charge(key, cost);
        return Duration.ZERO;
    }
}
