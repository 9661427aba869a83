// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage.redis;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * Version and configuration of a Redis server.
 *
 * @param version the Redis version; for Valkey the version it is compatible with
 * @param evictionPolicy the behavior when memory is full
 */
public record RedisInfo(String version, String evictionPolicy) {
    private static final Redis.Script INFO = Redis.Script.of("return redis.call('INFO', ARGV[1])");

    /** Reads them, or throws a {@link dev.porchlight.base.sql.StorageException}. */
    public static RedisInfo of(Redis redis) {
        return new RedisInfo(
                lines(redis, "server").getOrDefault("redis_version", "0"),
                lines(redis, "memory").getOrDefault("maxmemory_policy", "unknown"));
    }

    /** Whether it supports GETDEL, which takes sealed entries. */
    public boolean newEnough() {
        String[] parts = version.replaceAll("[^0-9.]", "").split("\\.", -1);
        int major = number(parts, 0);
        return major > 6 || major == 6 && number(parts, 1) >= 2;
    }

    private static int number(String[] parts, int place) {
        return parts.length > place && !parts[place].isEmpty() ? Integer.parseInt(parts[place]) : 0;
    }

    private static Map<String, String> lines(Redis redis, String section) {
        return String.valueOf(redis.run(INFO, "porchlight:info", section))
                .lines()
                .map(line -> line.split(":", 2))
                .filter(pair -> pair.length == 2)
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1], (first, second) -> first));
    }
}
