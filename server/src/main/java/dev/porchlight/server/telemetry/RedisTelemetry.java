// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.server.storage.RedisUrl;
import dev.porchlight.server.storage.redis.Redis;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Reports whether Redis is available: a gauge, a readiness check, and rate-limited log lines. Thread-safe. */
public final class RedisTelemetry implements Redis.Listener {
    private static final Duration QUIET = Duration.ofSeconds(10);

    private final Logger logger;
    private final LongSupplier nanoTime;
    private boolean logged;
    private long loggedAt;

    public RedisTelemetry(Logger logger, LongSupplier nanoTime) {
        this.logger = logger;
        this.nanoTime = nanoTime;
        this.loggedAt = nanoTime.getAsLong() - QUIET.toNanos();
    }

    /** Registers the gauge and, if Redis is configured, the readiness check. */
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
        String address = url.orElseThrow().toString();
        observe.health().register("redis", () -> {
            String fault = redis.fault();
            return fault == null ? CheckResult.up(Map.of("address", address)) : CheckResult.down(fault);
        });
    }

    @Override
    public synchronized void unavailable(String reason) {
        long now = nanoTime.getAsLong();
        if (now - loggedAt >= QUIET.toNanos()) {
            loggedAt = now;
            logged = true;
            logger.warn(
                    "Redis is unavailable: sign-in fails, and each instance counts rate limits separately",
                    Fields.of("reason", reason));
        }
    }

    @Override
    public synchronized void available() {
        if (logged) {
            logged = false;
            logger.info("Redis is available again");
        }
    }
}
