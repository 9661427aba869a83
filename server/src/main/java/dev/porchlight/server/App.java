// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.telemetry.ProcessTelemetry;
import dev.porchlight.server.wiring.Parts;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The running service. Thread-safe. */
public final class App implements AutoCloseable {
    private final Config config;
    private final Observability observe;
    private final Parts parts = new Parts();
    private final Wiring wiring;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    private App(Config config, Observability observe, Timing timing, Consumer<Router.Builder> more) throws IOException {
        this.config = config;
        this.observe = observe;
        try {
            wiring = new Wiring(config, observe, parts, timing, more);
            parts.start();
        } catch (IOException | RuntimeException e) {
            parts.closeAfter(e);
            throw e;
        }
    }

    /**
     * Starts the service.
     *
     * @param logs where log lines go; closed with the service
     * @param terminal whether standard output is a terminal
     * @param more adds further routes
     * @throws IOException if it cannot listen on its addresses, or use its data directory
     * @throws StorageException if the database cannot be used
     */
    public static App start(Config config, LogWriter logs, boolean terminal, Consumer<Router.Builder> more)
            throws IOException {
        return start(config, logs, terminal, Clock.systemUTC(), more);
    }

    /** Starts the service with another clock for expiry. */
    public static App start(Config config, LogWriter logs, boolean terminal, Clock clock, Consumer<Router.Builder> more)
            throws IOException {
        return start(config, logs, terminal, Timing.of(clock), more);
    }

    /** Starts the service with other clocks and intervals. */
    static App start(Config config, LogWriter logs, boolean terminal, Timing timing, Consumer<Router.Builder> more)
            throws IOException {
        // Before anything else logs.
        Observability observe = ProcessTelemetry.open(config.observability(), logs, terminal);
        try {
            return new App(config, observe, timing, more);
        } catch (IOException | RuntimeException e) {
            observe.close();
            throw e;
        }
    }

    public Observability observability() {
        return observe;
    }

    /** Checks now whether the certificate was renewed, instead of within a minute. */
    void renewCertificate() {
        if (wiring.renewal != null) {
            wiring.renewal.check();
        }
    }

    /** The URL of the service for a browser on this machine. */
    public String url() {
        return url(port());
    }

    /** The URL of {@link #managementPort()} for a browser on this machine. */
    String managementUrl() {
        return url(managementPort());
    }

    private String url(int port) {
        return (config.tls().isPresent() ? "https" : "http") + "://localhost:" + port;
    }

    public int port() {
        return wiring.http.port();
    }

    /** The port of /metrics and /health/*, which may be {@link #port()}. */
    public int managementPort() {
        return wiring.http.managementPort();
    }

    /** Waits until readiness is true. Returns false if the service is closed before that. */
    boolean awaitReady() throws InterruptedException {
        while (!observe.health().ready().ok()) {
            if (closed.await(100, TimeUnit.MILLISECONDS)) {
                return false;
            }
        }
        return true;
    }

    /** Waits until the service is closed. */
    public void join() throws InterruptedException {
        closed.await();
    }

    /**
     * Stops the service: readiness turns false, requests in progress finish, all parts close, and telemetry is flushed. Further
     * calls wait for the first.
     */
    @Override
    public void close() {
        try {
            if (closing.compareAndSet(false, true)) {
                stop();
            } else {
                closed.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void stop() throws InterruptedException {
        Logger logger = observe.logger();
        try {
            observe.health().drain();
            wiring.consoles.close(); // a stream would keep the HTTP server from stopping
            wiring.http.server().drain();
            long delayMs = config.get(Settings.SHUTDOWN_DELAY_MS).toMillis();
            logger.info("stopping", Fields.of("delayMs", delayMs));
            Thread.sleep(delayMs);
        } finally {
            try {
                parts.close();
                logger.info("stopped");
            } finally {
                observe.close();
                closed.countDown();
            }
        }
    }
}
