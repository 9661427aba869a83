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
 * A rate limit whose budgets all instances share, by Redis's clock. Thread-safe.
 *
 * <p>Of each key the time is kept at which its budget will be full again, as {@link RateLimiter} does, in microseconds; then
 * the key expires. While Redis does not respond, this instance counts alone. It also counts what Redis accepted, so no key
 * starts again with a full budget then.
 */
public final class RedisRateLimit implements RateLimit {
    /** A clock set back, by a failover for example, makes no key wait longer than the largest debt takes. */
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
     * A limit of this name.
     *
     * @param pseudonyms what keys are called in Redis, which need not know addresses and users
     * @param nanoTime a monotonic clock, for the time without Redis
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
        Object wait;
        try {
            wait = redis.run(
                    SPEND,
                    "porchlight:limit:" + name + ':' + pseudonyms.apply(key),
                    quartersPerMinute,
                    Integer.toString(cost),
                    needed == ANYTHING ? "any" : Integer.toString(needed));
        } catch (StorageException reported) { // by the gauge and the log, once
            return here.spend(key, cost, needed);
        }
        if (wait instanceof Long micros && micros > 0) {
            return Duration.of(micros, ChronoUnit.MICROS);
        }
        here.charge(key, cost);
        return Duration.ZERO;
    }
}
