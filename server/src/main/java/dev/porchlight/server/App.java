// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.server.canary.Canary;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.config.TlsFiles;
import dev.porchlight.server.console.CeremonyHistory;
import dev.porchlight.server.crypto.SignatureProvider;
import dev.porchlight.server.explain.RefusedResponses;
import dev.porchlight.server.http.AccessLog;
import dev.porchlight.server.http.Correlation;
import dev.porchlight.server.http.CrossSiteGuard;
import dev.porchlight.server.http.ErrorBoundary;
import dev.porchlight.server.http.Forwarded;
import dev.porchlight.server.http.HttpServer;
import dev.porchlight.server.http.Limits;
import dev.porchlight.server.http.Metering;
import dev.porchlight.server.http.Middleware;
import dev.porchlight.server.http.RateLimiting;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.http.SecurityHeaders;
import dev.porchlight.server.http.Tracing;
import dev.porchlight.server.routes.AdminGate;
import dev.porchlight.server.routes.CredentialScreening;
import dev.porchlight.server.routes.ProbeRoutes;
import dev.porchlight.server.telemetry.DeadlockWatch;
import dev.porchlight.server.telemetry.Liveness;
import dev.porchlight.server.telemetry.ProcessTelemetry;
import dev.porchlight.server.web.WebPages;
import java.io.IOException;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The service, wired and running. Safe for use by many threads. */
public final class App implements AutoCloseable {
    private static final String PUBLIC = "public";
    static final String MANAGEMENT = "management";

    private final Config config;
    private final Observability observe;
    private final Authority authority;
    private final Console console;
    private final HttpServer http;
    private final Optional<TlsRenewal> renewal;
    private final DeadlockWatch deadlocks = new DeadlockWatch();
    private final Optional<Canary> canary;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    private App(
            Config config,
            Observability observe,
            Authority authority,
            Console console,
            AdminGate gate,
            Clock clock,
            Pace pace,
            Consumer<Router.Builder> more) {
        this.config = config;
        this.observe = observe;
        this.authority = authority;
        this.console = console;
        observe.automatic().pool(authority::pool);

        Router.Builder routes = Router.builder();
        Router.Builder management = config.get(Settings.MANAGEMENT_PORT).isPresent() ? Router.builder() : routes;
        // A loopback address alone is not enough: a proxy on this machine may stand before it.
        boolean details = config.get(Settings.MANAGEMENT_PORT).isPresent() || config.loopback() && config.local();
        new ProbeRoutes(observe.health(), details, observe.metrics(), pace.scrapes()).mount(management);
        console.mount(management);
        authority.mountForOperators(management);
        mountPages(routes, management, gate);
        authority.mount(routes);
        more.accept(routes);

        canary = config.get(Settings.CANARY_SECONDS)
                .map(every -> new Canary(every, config, authority.canary(), observe, clock));
        Limits limits = Limits.DEFAULT
                .withBodyBytes(config.get(Settings.MAX_BODY_BYTES))
                .within(Runtime.getRuntime().maxMemory(), config.tls().isPresent());
        http = new HttpServer(
                limits,
                config.get(Settings.TRUSTED_PROXIES),
                new CredentialScreening(gate, config.https()),
                middleware(gate));
        KeyStore identity = config.tls().map(TlsFiles::identity).orElse(null);
        http.listen(PUBLIC, config.get(Settings.HOST), config.get(Settings.PORT), routes.build(), identity);
        if (config.get(Settings.MANAGEMENT_PORT).isPresent()) {
            int port = config.get(Settings.MANAGEMENT_PORT).get();
            http.listenForOperators(MANAGEMENT, config.get(Settings.HOST), port, management.build(), identity);
        }
        Liveness.register(observe.health(), http, deadlocks);
        new HttpMetrics(http).register(observe.metrics());
        renewal = config.tls().map(files -> new TlsRenewal(files, http::reloadTls, observe.logger()));
    }

    /** Looks now whether the certificate was renewed, and not within the minute. */
    void renewCertificate() {
        renewal.ifPresent(TlsRenewal::check);
    }

    private void mountPages(Router.Builder routes, Router.Builder management, AdminGate gate) {
        WebPages pages = new WebPages(
                config.relyingParty().rpName(),
                config.relyingParty().origin(),
                config.get(Settings.SIGNUP),
                config.get(Settings.LOGIN_RESULT).session(),
                config.get(Settings.ADMIN_TOKEN).isPresent());
        pages.mount(routes);
        pages.mountAssets(routes);
        pages.mountConsole(management, gate::page);
        if (management != routes) {
            pages.mountAssets(management);
        }
    }

    /** Outermost first. */
    private List<Middleware> middleware(AdminGate gate) {
        List<Middleware> all = new ArrayList<>(List.of(
                new Forwarded(config.get(Settings.TRUSTED_PROXIES)),
                new Tracing(observe.tracer(), observe.settings().tracing().propagation()),
                new Correlation(observe.logger()),
                new AccessLog(config.cloud()),
                new Metering(observe.automatic().http(), observe.profiler()),
                new SecurityHeaders(config.https()),
                new ErrorBoundary(),
                new CrossSiteGuard(authority.pageOrigins(), config.local())));
        canary.ifPresent(bird -> all.add(0, bird.recognition()));
        if (config.get(Settings.RATE_LIMIT_PER_MINUTE) > 0) {
            all.add(new RateLimiting(config.get(Settings.RATE_LIMIT_PER_MINUTE), authority.limits()));
        }
        all.add(gate);
        return all;
    }

    /**
     * Starts the service.
     *
     * @param logs where log lines go; closed with the service
     * @param terminal whether a person reads them as they come
     * @param more mounts further routes beside the service's own
     * @throws IOException if it cannot listen where it should, or use its data directory
     * @throws StorageException if the database cannot be used
     */
    public static App start(Config config, LogWriter logs, boolean terminal, Consumer<Router.Builder> more)
            throws IOException {
        return start(config, logs, terminal, Clock.systemUTC(), Pace.DEFAULT, more);
    }

    /** The same, by another clock, by which everything expires, and at another pace. */
    static App start(
            Config config, LogWriter logs, boolean terminal, Clock clock, Pace pace, Consumer<Router.Builder> more)
            throws IOException {
        // Before anything else logs.
        Observability observe = ProcessTelemetry.open(config.observability(), logs, terminal);
        // Begun beside all that follows: it unpacks and tests itself.
        CompletableFuture<SignatureProvider> signatures = CompletableFuture.supplyAsync(SignatureProvider::choose);
        try {
            AdminGate gate = new AdminGate(config.get(Settings.ADMIN_TOKEN), config.local());
            CeremonyHistory history = new CeremonyHistory();
            RefusedResponses responses = new RefusedResponses(clock);
            Authority authority = Authority.open(config, observe, signatures, history, responses, clock, pace);
            Console console = new Console(
                    observe, authority::pool, history, responses, config.relyingParty(), clock, pace.sampling());
            try {
                App app = new App(config, observe, authority, console, gate, clock, pace, more);
                Listening.start(app.http, config);
                console.start();
                app.renewal.ifPresent(TlsRenewal::start);
                app.deadlocks.start();
                app.canary.ifPresent(bird -> bird.start(app.port(), app.http::keyStores));
                return app;
            } catch (IOException | RuntimeException e) {
                console.close();
                authority.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            ProcessTelemetry.close(observe);
            throw e;
        }
    }

    public Observability observability() {
        return observe;
    }

    Optional<Canary> canary() {
        return canary;
    }

    /** Where a browser on this machine finds the service. */
    public String url() {
        return url(port());
    }

    /** The URL of {@link #managementPort()}, as a browser on this machine reaches it. */
    String managementUrl() {
        return url(managementPort());
    }

    private String url(int port) {
        return (config.tls().isPresent() ? "https" : "http") + "://localhost:" + port;
    }

    public int port() {
        return http.port(PUBLIC);
    }

    /** The port of /metrics and /health/*, which may be {@link #port()}. */
    public int managementPort() {
        return http.port(config.get(Settings.MANAGEMENT_PORT).isPresent() ? MANAGEMENT : PUBLIC);
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
        canary.ifPresent(Canary::stop); // and is waited for when nobody asks any more whether we are ready
        observe.health().drain();
        console.drain();
        http.drain();
        logger.info(
                "stopping",
                Fields.of("delayMs", config.get(Settings.SHUTDOWN_DELAY_MS).toMillis()));
        sleep(config.get(Settings.SHUTDOWN_DELAY_MS));
        canary.ifPresent(Canary::close);
        boolean orderly = http.stop(config.get(Settings.SHUTDOWN_TIMEOUT_MS));
        if (!orderly) {
            logger.warn(
                    "requests were cut off",
                    Fields.of(
                            "timeoutMs",
                            config.get(Settings.SHUTDOWN_TIMEOUT_MS).toMillis()));
        }
        console.close();
        renewal.ifPresent(TlsRenewal::close);
        deadlocks.close();
        authority.close();
        logger.info("stopped");
        ProcessTelemetry.close(observe);
        closed.countDown();
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
