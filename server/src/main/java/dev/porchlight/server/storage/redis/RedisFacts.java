// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage.redis;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a Redis says of itself.
 *
 * @param version of Redis; Valkey names the one it is compatible with
 * @param evictionPolicy what it does when it is full
 */
public record RedisFacts(String version, String evictionPolicy) {
    private static final Redis.Script INFO = Redis.Script.of("return redis.call('INFO', ARGV[1])");

    /** Asks for them, or throws a {@link dev.porchlight.base.sql.StorageException}. */
    public static RedisFacts of(Redis redis) {
        return new RedisFacts(
                lines(redis, "server").getOrDefault("redis_version", "0"),
                lines(redis, "memory").getOrDefault("maxmemory_policy", "unknown"));
    }

    /** Whether it has the command that takes a challenge. */
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
