// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.storage.RedisUrl;
import dev.porchlight.server.storage.redis.Redis;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks that Redis, if configured, is writable and evicts nothing. */
final class RedisCheck {
    private final Optional<RedisUrl> url;

    RedisCheck(Config config) {
        url = config.get(Settings.REDIS_URL);
    }

    List<Diagnosis> run() {
        List<Diagnosis> results = new ArrayList<>();
        if (url.isEmpty()) {
            return results;
        }
        try (Redis redis = Redis.open(url.get())) {
            String fault = redis.fault();
            if (fault != null) {
                results.add(
                        Diagnosis.problem(
                                "Redis at " + url.get() + " is not writable: " + fault,
                                "export REDIS_URL=redis://:PASSWORD@HOST:6379   # test it with: redis-cli -u \"$REDIS_URL\" ping"));
                return results;
            }
            results.add(Diagnosis.ok("Redis at " + url.get() + " is writable"));
            results.add(eviction(redis.evictionPolicy()));
        } catch (StorageException e) {
            results.add(Diagnosis.skipped("the settings of Redis are not available: "
                    + (e.getCause() == null ? e : e.getCause()).getMessage()));
        }
        return results;
    }

    private static Diagnosis eviction(String policy) {
        return policy.equals("noeviction")
                ? Diagnosis.ok("Redis evicts no entries")
                : Diagnosis.problem(
                        "Redis evicts entries when it is full (" + policy + "), which resets rate limits unnoticed",
                        "redis-cli -u \"$REDIS_URL\" CONFIG SET maxmemory-policy noeviction   # and in redis.conf");
    }
}
