// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.JdkLoggerFinder;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.http.AccessLog;
import dev.porchlight.server.http.Correlation;
import dev.porchlight.server.http.ErrorBoundary;
import dev.porchlight.server.http.HttpServer;
import dev.porchlight.server.http.Limits;
import dev.porchlight.server.http.Metering;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.http.Tracing;
import dev.porchlight.server.routes.HealthRoutes;
import dev.porchlight.server.routes.MetricsRoutes;
import dev.porchlight.server.telemetry.LibraryLogs;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The service, wired and running. Safe for use by many threads. */
public final class App implements AutoCloseable {
    private static final String PUBLIC = "public";
    private static final String MANAGEMENT = "management";

    private final Config config;
    private final Observability observe;
    private final HttpServer http;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    private App(Config config, LogWriter logs, boolean terminal, Consumer<Router.Builder> more) {
        this.config = config;

        observe = Observability.open("porchlight", QuietLibraries.in(config.environment()), logs, terminal);
        JdkLoggerFinder.install(observe.logger());
        LibraryLogs.install(observe.logger());

        Router.Builder routes = Router.builder();
        Router.Builder management = config.managementPort().isPresent() ? Router.builder() : routes;
        boolean details = config.managementPort().isPresent() || config.loopback();
        new HealthRoutes(observe.health(), details).mount(management);
        new MetricsRoutes(observe.metrics()).mount(management);
        more.accept(routes);

        http = new HttpServer(
                Limits.DEFAULT.withBodyBytes(config.maxBodyBytes()),
                List.of(
                        new Tracing(observe.tracer(), observe.propagation()),
                        new Correlation(observe.logger()),
                        new AccessLog(config.cloud()),
                        new Metering(observe.automatic().http(), observe.profiler()),
                        new ErrorBoundary()));
        http.listen(PUBLIC, config.host(), config.port(), routes.build());
        if (config.managementPort().isPresent()) {
            http.listen(MANAGEMENT, config.host(), config.managementPort().getAsInt(), management.build());
        }
    }

    /**
     * Starts the service.
     *
     * @param logs where log lines go; closed with the service
     * @param terminal whether a person reads them as they come
     * @param more mounts further routes beside the service's own
     * @throws IOException if it cannot listen where it should
     */
    public static App start(Config config, LogWriter logs, boolean terminal, Consumer<Router.Builder> more)
            throws IOException {
        App app = new App(config, logs, terminal, more);
        try {
            app.http.start();
        } catch (IOException e) {
            app.closeTelemetry();
            throw e;
        }
        return app;
    }

    public Observability observability() {
        return observe;
    }

    public int port() {
        return http.port(PUBLIC);
    }

    /** The port of /metrics and /health/*, which may be {@link #port()}. */
    public int managementPort() {
        return http.port(config.managementPort().isPresent() ? MANAGEMENT : PUBLIC);
    }

    /** Waits until the service is closed. */
    public void join() throws InterruptedException {
        closed.await();
    }

    /**
     * Stops the service: readiness goes down, requests under way end, what was observed is sent and written. Does so once;
     * further calls wait for the first.
     */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            awaitClosed();
            return;
        }
        Logger logger = observe.logger();
        observe.health().drain();
        http.drain();
        logger.info("stopping", Fields.of("delayMs", config.shutdownDelay().toMillis()));
        sleep(config.shutdownDelay());
        boolean orderly = http.stop(config.shutdownTimeout());
        if (!orderly) {
            logger.warn(
                    "requests were cut off",
                    Fields.of("timeoutMs", config.shutdownTimeout().toMillis()));
        }
        logger.info("stopped");
        closeTelemetry();
        closed.countDown();
    }

    private void closeTelemetry() {
        LibraryLogs.uninstall(observe.logger());
        JdkLoggerFinder.uninstall(observe.logger());
        observe.close();
    }

    private void awaitClosed() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void sleep(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
