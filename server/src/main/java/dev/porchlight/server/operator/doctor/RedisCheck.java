// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.storage.RedisUrl;
import dev.porchlight.server.storage.redis.Redis;
import dev.porchlight.server.storage.redis.RedisFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether Redis, where one is configured, takes writes, knows our commands, and keeps what it was given. */
final class RedisCheck {
    private final Optional<RedisUrl> url;

    RedisCheck(Config config) {
        url = config.get(Settings.REDIS_URL);
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        if (url.isEmpty()) {
            return findings;
        }
        try (Redis redis = Redis.open(url.get(), Redis.Listener.NONE)) {
            String fault = redis.fault();
            if (fault != null) {
                findings.add(
                        Finding.wrong(
                                "Redis at " + url.get() + " takes no writes: " + fault,
                                "export REDIS_URL=redis://:PASSWORD@HOST:6379   # one that answers: redis-cli -u \"$REDIS_URL\" ping"));
                return findings;
            }
            findings.add(Finding.fine("Redis at " + url.get() + " takes writes"));
            examine(RedisFacts.of(redis), findings);
        } catch (StorageException e) {
            findings.add(Finding.skipped("Redis does not tell its version and settings: "
                    + (e.getCause() == null ? e : e.getCause()).getMessage()));
        }
        return findings;
    }

    private static void examine(RedisFacts facts, List<Finding> findings) {
        findings.add(
                facts.newEnough()
                        ? Finding.fine("Redis is version " + facts.version())
                        : Finding.wrong(
                                "Redis is version " + facts.version()
                                        + "; challenges are taken by GETDEL, which 6.2 has",
                                "apt-get install redis-server   # 6.2 or later, or Valkey"));
        findings.add(
                facts.evictionPolicy().equals("noeviction")
                        ? Finding.fine("Redis evicts nothing")
                        : Finding.wrong(
                                "Redis evicts when it is full (" + facts.evictionPolicy() + "), which signs people out",
                                "redis-cli -u \"$REDIS_URL\" CONFIG SET maxmemory-policy noeviction   # and in redis.conf"));
    }
}
