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

/** Says whether Redis answers: a gauge, a readiness check, and log lines that a flapping Redis cannot multiply. Thread-safe. */
public final class RedisTelemetry implements Redis.Listener {
    private static final Duration QUIET = Duration.ofSeconds(10);

    private final Logger logger;
    private final LongSupplier nanoTime;
    private boolean told;
    private long toldAt;

    public RedisTelemetry(Logger logger, LongSupplier nanoTime) {
        this.logger = logger;
        this.nanoTime = nanoTime;
        this.toldAt = nanoTime.getAsLong() - QUIET.toNanos();
    }

    /** Registers the gauge, and without Redis nothing else. */
    public static void register(Observability observe, @Nullable Redis redis, Optional<RedisUrl> url) {
        observe.metrics()
                .gauge("storage_degraded")
                .help("1 while a store does not answer and the service does without it as far as it can, otherwise 0.")
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
    public synchronized void lost(String why) {
        long now = nanoTime.getAsLong();
        if (now - toldAt >= QUIET.toNanos()) {
            toldAt = now;
            told = true;
            logger.warn(
                    "Redis does not answer: nobody can sign in, and rate limits are counted by each instance alone",
                    Fields.of("reason", why));
        }
    }

    @Override
    public synchronized void back() {
        if (told) {
            told = false;
            logger.info("Redis answers again");
        }
    }
}
