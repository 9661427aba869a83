// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.health.CheckOptions;
import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.server.storage.RedisUrl;
import dev.porchlight.server.storage.redis.Redis;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reports whether Redis is available: a gauge, and a health check that logs changes and does not affect readiness. */
public final class RedisTelemetry {
    private RedisTelemetry() {}

    /** Registers the gauge and, if Redis is configured, the health check. */
    public static void register(Observability observe, @Nullable Redis redis, Optional<RedisUrl> url) {
        observe.metrics()
                .gauge("storage_degraded")
                .help("1 while an external store is unavailable and the service runs in degraded mode, otherwise 0.")
                .labels("store")
                .read(samples -> {
                    if (redis != null) {
                        samples.sample(redis.fault() == null ? 0 : 1, "redis");
                    }
                });
        if (redis == null) {
            return;
        }
        Map<String, String> up = Map.of("address", url.orElseThrow().toString());
        observe.health()
                .register(
                        "redis",
                        () -> {
                            String fault = redis.fault();
                            return fault == null
                                    ? CheckResult.up(up)
                                    : CheckResult.down(Map.of(
                                            "error", fault, "effect", "each instance counts its own rate limits"));
                        },
                        CheckOptions.optional());
    }
}
