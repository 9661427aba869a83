// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.config.Setting;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.config.TlsFiles;
import dev.porchlight.server.http.CrossSiteGuard;
import dev.porchlight.server.http.ErrorBoundary;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.HttpServer;
import dev.porchlight.server.http.Limits;
import dev.porchlight.server.http.Middleware;
import dev.porchlight.server.http.ProblemPages;
import dev.porchlight.server.http.RateLimiting;
import dev.porchlight.server.http.RequestTelemetry;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.http.SecurityHeaders;
import dev.porchlight.server.limit.RateLimit;
import dev.porchlight.server.limit.RequestDeadline;
import dev.porchlight.server.routes.AdminGate;
import dev.porchlight.server.routes.CredentialScreening;
import dev.porchlight.server.routes.SessionCookie;
import dev.porchlight.server.wiring.Part;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Configures the HTTP server: middleware, limits and listeners. */
final class HttpModule implements Part {
    private static final String PUBLIC = "public";
    private static final String MANAGEMENT = "management";

    private final Config config;
    private final Observability observe;
    private final HttpServer server;

    /**
     * Creates a server that does not listen yet.
     *
     * @param management routes that are served on their own port if one is configured
     * @param pageOrigins origins whose pages may call the service
     * @param pages for people whose requests fail
     */
    HttpModule(
            Config config,
            Observability observe,
            Router routes,
            Router management,
            AdminGate gate,
            SessionCookie cookie,
            List<String> pageOrigins,
            ProblemPages pages,
            RateLimit.Source rateLimits) {
        this.config = config;
        this.observe = observe;
        Limits limits = Limits.of(config.get(Settings.MAX_BODY_BYTES))
                .within(Runtime.getRuntime().maxMemory(), config.tls().isPresent());
        var screening = new CredentialScreening(gate, cookie);
        server = new HttpServer(
                limits, config.get(Settings.TRUSTED_PROXIES), screening, middleware(pageOrigins, pages, rateLimits));
        KeyStore identity = config.tls().map(TlsFiles::identity).orElse(null);
        String host = config.get(Settings.HOST);
        server.listen(PUBLIC, host, config.get(Settings.PORT), routes, identity);
        config.get(Settings.MANAGEMENT_PORT)
                .ifPresent(port -> server.listenForOperators(MANAGEMENT, host, port, management, identity));
        server.register(observe.metrics());
    }

    /** Outermost first. */
    private List<Middleware> middleware(List<String> pageOrigins, ProblemPages pages, RateLimit.Source rateLimits) {
        List<Middleware> all = new ArrayList<>(List.<Middleware>of(
                new RequestTelemetry(observe.http()),
                this::limitWaits,
                new SecurityHeaders(config.https()),
                new ErrorBoundary(pages),
                new CrossSiteGuard(config.relyingParty().origin(), Set.copyOf(pageOrigins), config.local())));
        int perMinute = config.get(Settings.RATE_LIMIT_PER_MINUTE);
        if (perMinute > 0) {
            all.add(new RateLimiting(perMinute, rateLimits));
        }
        return all;
    }

    /** Limits the time that each request may wait for databases and other dependencies. */
    private void limitWaits(Exchange exchange, Middleware.Next next) throws Exception {
        RequestDeadline.begin(config.get(Settings.REQUEST_TIMEOUT_MS));
        try {
            next.proceed(exchange);
        } finally {
            RequestDeadline.end();
        }
    }

    HttpServer server() {
        return server;
    }

    int port() {
        return server.port(PUBLIC);
    }

    /** The port of /metrics and /health/*, which may be {@link #port()}. */
    int managementPort() {
        return server.port(config.get(Settings.MANAGEMENT_PORT).isPresent() ? MANAGEMENT : PUBLIC);
    }

    @Override
    public void start() throws IOException {
        try {
            server.start();
        } catch (HttpServer.ListenException e) {
            boolean management = e.listener().equals(MANAGEMENT);
            throw failed(
                    management ? Settings.MANAGEMENT_PORT : Settings.PORT,
                    management ? config.get(Settings.MANAGEMENT_PORT).orElseThrow() : config.get(Settings.PORT),
                    e);
        }
    }

    /** Stops listening, and waits for requests in progress up to the configured timeout. */
    @Override
    public void close() {
        Duration timeout = config.get(Settings.SHUTDOWN_TIMEOUT_MS);
        if (!server.stop(timeout)) {
            observe.logger()
                    .warn("aborted requests that were still in progress", Fields.of("timeoutMs", timeout.toMillis()));
        }
    }

    /** Names the setting to change: HOST if it is not an address of this machine, otherwise the port's setting. */
    private InvalidConfigException failed(Setting<?> setting, int port, HttpServer.ListenException e)
            throws IOException {
        String host = config.get(Settings.HOST);
        if (!isLocal(host)) {
            return new InvalidConfigException(
                    Settings.HOST,
                    "is " + host + ", which is not an address of this machine",
                    "set 127.0.0.1, 0.0.0.0 or an address of this machine",
                    e);
        }
        int other = setting.equals(Settings.PORT)
                ? config.get(Settings.MANAGEMENT_PORT).orElse(0)
                : config.get(Settings.PORT);
        String another = "set another port, for example " + setting + "=" + anotherPort(port, other);
        String privilege = port < 1_024 ? "allow the service to use ports below 1024, " : "";
        return new InvalidConfigException(
                setting,
                "is " + port + ", which cannot be opened on " + host + " (" + e.reason() + ')',
                "stop the process that uses it, " + privilege + "or " + another,
                e);
    }

    /** Suggests a valid unprivileged port other than these two. */
    static int anotherPort(int refused, int other) {
        int next = refused < 1_024 || refused == Settings.LAST_PORT ? Settings.DEFAULT_PORT : refused + 1;
        if (next != other) {
            return next;
        }
        return next == Settings.LAST_PORT ? Settings.DEFAULT_PORT : next + 1;
    }

    private static boolean isLocal(String host) throws IOException {
        InetAddress address = InetAddress.getByName(host);
        return address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || NetworkInterface.getByInetAddress(address) != null;
    }
}
