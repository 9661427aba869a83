// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.passkey.store.RedisUsedChallenges;
import dev.porchlight.passkey.store.UsedChallenges;
import dev.porchlight.server.audit.AnchorPlace;
import dev.porchlight.server.auth.DerivedKeys;
import dev.porchlight.server.limit.RateLimit;
import dev.porchlight.server.limit.RateLimiter;
import dev.porchlight.server.storage.RedisUrl;
import dev.porchlight.server.storage.SealedEntries;
import dev.porchlight.server.storage.SqlSealedEntries;
import dev.porchlight.server.storage.redis.Redis;
import dev.porchlight.server.storage.redis.RedisAnchor;
import dev.porchlight.server.storage.redis.RedisRateLimit;
import dev.porchlight.server.storage.redis.RedisSealedEntries;
import dev.porchlight.server.telemetry.RedisTelemetry;
import java.time.Clock;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What is kept for a while, wired: in Redis if there is one, which all instances share; otherwise entries are in the
 * database, and rate limits are counted by each instance. Thread-safe.
 */
final class SharedState implements AutoCloseable {
    private final @Nullable Redis redis;
    private final SealedEntries entries;
    private final RateLimit.Source limits;
    private final @Nullable UsedChallenges used;

    private SharedState(
            @Nullable Redis redis, SealedEntries entries, RateLimit.Source limits, @Nullable UsedChallenges used) {
        this.redis = redis;
        this.used = used;
        this.entries = entries;
        this.limits = limits;
    }

    static SharedState open(
            Optional<RedisUrl> url,
            Sql sql,
            DerivedKeys keys,
            Observability observe,
            Clock clock,
            LongSupplier nanoTime) {
        if (url.isEmpty()) {
            RedisTelemetry.register(observe, null, "");
            return new SharedState(
                    null,
                    new SqlSealedEntries(sql, clock),
                    (name, perMinute) -> new RateLimiter(perMinute, nanoTime),
                    null);
        }
        Redis redis = Redis.open(url.get(), new RedisTelemetry(observe.logger(), System::nanoTime));
        RedisTelemetry.register(observe, redis, url.get().toString());
        Pseudonyms pseudonyms = new Pseudonyms(keys.forPurpose("rate limits"));
        return new SharedState(
                redis,
                new RedisSealedEntries(redis, clock),
                (name, perMinute) -> new RedisRateLimit(redis, name, perMinute, pseudonyms::of, nanoTime),
                new RedisUsedChallenges(redis::eval, clock));
    }

    /** Where challenges are marked as used if that is in Redis; null if it is in the database. */
    @Nullable
    UsedChallenges usedChallenges() {
        return used;
    }

    /** Sessions. */
    SealedEntries entries() {
        return entries;
    }

    /** Where the anchor of this database's audit log is kept too; nowhere without Redis. */
    Optional<AnchorPlace> anchor(String database) {
        return Optional.ofNullable(redis).map(found -> new RedisAnchor(found, database));
    }

    RateLimit.Source limits() {
        return limits;
    }

    @Override
    public void close() {
        if (redis != null) {
            redis.close();
        }
    }
}
