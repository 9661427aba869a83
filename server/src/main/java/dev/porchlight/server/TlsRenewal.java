// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.server.config.TlsFiles;
import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Takes up a renewed certificate while the service runs: looks at the files every minute, and keeps what it has when they
 * hold nothing that can be used, as between the writing of the one and the other. Thread-safe.
 */
final class TlsRenewal implements AutoCloseable {
    private static final Duration EVERY = Duration.ofMinutes(1);

    private final Consumer<KeyStore> show;
    private final Logger logger;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "porchlight-tls-renewal");
        thread.setDaemon(true);
        return thread;
    });
    private TlsFiles current;
    private String complaint = "";

    /** Looks when told to; {@code show} makes connections from then on see another identity. */
    TlsRenewal(TlsFiles files, Consumer<KeyStore> show, Logger logger) {
        this.current = files;
        this.show = show;
        this.logger = logger;
    }

    /** Begins to look every minute. */
    void start() {
        var unused = clock.scheduleWithFixedDelay(this::check, EVERY.toSeconds(), EVERY.toSeconds(), TimeUnit.SECONDS);
    }

    synchronized void check() {
        try {
            TlsFiles now = current.reread();
            if (now != current) {
                show.accept(now.identity());
                current = now;
                logger.info("the TLS certificate was renewed");
            }
            complaint = "";
        } catch (RuntimeException e) {
            String why = String.valueOf(e.getMessage());
            if (!why.equals(complaint)) { // once, and not every minute
                complaint = why;
                logger.warn(
                        "the TLS certificate changed and cannot be used; the former one is kept",
                        Fields.of("why", why));
            }
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
