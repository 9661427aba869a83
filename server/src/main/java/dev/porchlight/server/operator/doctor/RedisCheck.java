// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.storage.RedisUrl;
import dev.porchlight.server.storage.redis.Redis;
import dev.porchlight.server.storage.redis.RedisInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks that Redis, if configured, is writable, is recent enough and evicts nothing. */
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
        try (Redis redis = Redis.open(url.get(), Redis.Listener.NONE)) {
            String fault = redis.fault();
            if (fault != null) {
                results.add(
                        Diagnosis.problem(
                                "Redis at " + url.get() + " is not writable: " + fault,
                                "export REDIS_URL=redis://:PASSWORD@HOST:6379   # test it with: redis-cli -u \"$REDIS_URL\" ping"));
                return results;
            }
            results.add(Diagnosis.ok("Redis at " + url.get() + " is writable"));
            examine(RedisInfo.of(redis), results);
        } catch (StorageException e) {
            results.add(Diagnosis.skipped("the version and settings of Redis are not available: "
                    + (e.getCause() == null ? e : e.getCause()).getMessage()));
        }
        return results;
    }

    private static void examine(RedisInfo facts, List<Diagnosis> results) {
        results.add(
                facts.newEnough()
                        ? Diagnosis.ok("Redis is version " + facts.version())
                        : Diagnosis.problem(
                                "Redis is version " + facts.version() + ", but GETDEL requires 6.2",
                                "apt-get install redis-server   # 6.2 or later, or Valkey"));
        results.add(
                facts.evictionPolicy().equals("noeviction")
                        ? Diagnosis.ok("Redis evicts no entries")
                        : Diagnosis.problem(
                                "Redis evicts entries when it is full (" + facts.evictionPolicy()
                                        + "), which signs users out",
                                "redis-cli -u \"$REDIS_URL\" CONFIG SET maxmemory-policy noeviction   # and in redis.conf"));
    }
}
