// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.server.limit.ClientAddresses;
import java.io.IOException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * Listens on one or more addresses, for HTTP/1.1 and over TLS also HTTP/2, and passes every request through the middleware to
 * its router's handler.
 *
 * <p>Handlers run on virtual threads if the JDK supports them, otherwise on a bounded pool. Not thread-safe, except
 * {@link #drain()}, {@link #reloadTls}, {@link #isResponsive} and the metrics.
 */
public final class HttpServer {
    private static final int EXTRA_THREADS = 8;

    /**
     * The socket send buffer. The system default grows to megabytes: a thousand clients that send requests and read no response
     * would fill it at the cost of seconds of work.
     */
    private static final int UNREAD_BYTES = 65_536;

    private final Limits limits;
    private final Server jetty;
    private final Executor executor;
    final SlowHeaders slowHeaders;
    final ServerHandler handler;
    private final ClientAddresses clients;
    private final Map<String, ServerConnector> listeners = new LinkedHashMap<>();
    final Map<String, ConnectionShares> shares = new LinkedHashMap<>();
    private final List<SslContextFactory.Server> identities = new ArrayList<>();

    /** An address that the server cannot listen on. */
    public static final class ListenException extends IOException {
        private static final long serialVersionUID = 1L;

        private final String listener;

        ListenException(String listener, Exception cause) {
            super(String.valueOf(cause.getMessage()), cause);
            this.listener = listener;
        }

        /** The name of the listener. */
        public String listener() {
            return listener;
        }

        /** The operating system's message, such as "Address already in use". */
        public String reason() {
            Throwable root = this;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        }
    }

    /**
     * Creates a server without listeners.
     *
     * @param clients determines the address whose share a connection or request body uses
     * @param screening decides which requests are refused before their body has arrived
     * @param middleware outermost first, {@link ErrorBoundary} last
     */
    public HttpServer(Limits limits, ClientAddresses clients, Access.Screening screening, List<Middleware> middleware) {
        this.limits = limits;
        this.clients = clients;
        QueuedThreadPool threads = threads(limits.concurrency());
        jetty = new Server(threads);
        slowHeaders = new SlowHeaders(jetty.getScheduler(), limits.timeouts(), shares.values());
        Executor virtual = VirtualThreads.getVirtualThreadsExecutor(threads);
        executor = virtual == null ? threads : virtual;
        handler = new ServerHandler(limits, executor, jetty.getScheduler(), clients, screening, middleware);
        jetty.setHandler(new GracefulHandler(handler));
        jetty.setErrorHandler(handler::refuse);
        jetty.setStopAtShutdown(false);
        jetty.addBean(slowHeaders);
    }

    /**
     * Adds a listener with a name. Port 0 selects a free port.
     *
     * @param identity a key store with one private key and its certificates for TLS; null for plain HTTP
     */
    public HttpServer listen(String name, String host, int port, Router router, @Nullable KeyStore identity) {
        return listen(name, host, port, router, identity, limits.connections());
    }

    /** Adds a listener for operators, with separate connections that the other listeners cannot use up. */
    public HttpServer listenForOperators(
            String name, String host, int port, Router router, @Nullable KeyStore identity) {
        return listen(name, host, port, router, identity, limits.connectionShare());
    }

    private HttpServer listen(
            String name, String host, int port, Router router, @Nullable KeyStore identity, int connections) {
        SslContextFactory.Server tls = identity == null ? null : Protocols.tls(identity);
        if (tls != null) {
            identities.add(tls);
        }
        ServerConnector connector = new ServerConnector(jetty, 1, -1, new Protocols(limits).over(tls));
        connector.setHost(host);
        connector.setPort(port);
        connector.setIdleTimeout(limits.timeouts().idle().toMillis());
        connector.setAcceptQueueSize(1_024);
        connector.setAcceptedSendBufferSize(UNREAD_BYTES);
        jetty.addConnector(connector);
        ConnectionShares share =
                new ConnectionShares(connections, Math.min(connections, limits.connectionShare()), clients);
        connector.addBean(share, false);
        shares.put(name, share);
        handler.listen(connector, router, share);
        listeners.put(name, connector);
        return this;
    }

    /**
     * Uses another private key and certificate chain for all later TLS handshakes.
     *
     * @throws IllegalArgumentException if it cannot be used; the previous one is then kept
     */
    public void reloadTls(KeyStore identity) {
        try {
            SslContextFactory.Server trial = Protocols.tls(identity);
            trial.start(); // a failed reload would leave no identity
            trial.stop();
            for (SslContextFactory.Server tls : identities) {
                tls.reload(reloaded -> reloaded.setKeyStore(identity));
            }
        } catch (Exception e) {
            throw new IllegalArgumentException("this JDK cannot use the key or the certificates", e);
        }
    }

    /** Registers metrics for the server's load and refusals. */
    public void register(MetricRegistry metrics) {
        registerConnections(metrics);
        registerRequests(metrics);
    }

    private void registerConnections(MetricRegistry metrics) {
        metrics.counter("http_connections_cut_total")
                .help("Connections closed because the client was too slow, by the unfinished part.")
                .labels("unfinished")
                .read(samples -> slowHeaders.cutOff().forEach((what, count) -> samples.sample((double) count, what)));
        metrics.gauge("http_connections_open")
                .help("Open connections, by listener.")
                .labels("listener")
                .read(samples -> shares.forEach((listener, share) -> samples.sample(share.count(), listener)));
        metrics.gauge("http_connections_largest_address")
                .help("Open connections of the client address that has the most, by listener.")
                .labels("listener")
                .read(samples -> shares.forEach((listener, share) -> samples.sample(share.largestCount(), listener)));
        metrics.counter("http_connections_displaced_total")
                .help(
                        "Connections closed because a share was used up, by listener and whether they were open (evicted) or new (refused).")
                .labels("listener", "how")
                .read(samples -> shares.forEach((listener, share) -> {
                    samples.sample((double) share.evicted(), listener, "evicted");
                    samples.sample((double) share.refused(), listener, "refused");
                }));
    }

    private void registerRequests(MetricRegistry metrics) {
        metrics.gauge("http_requests_in_work")
                .help("Requests on the auth and admin routes being handled or waiting, by state.")
                .labels("state")
                .read(samples -> handler.load().forEach((state, count) -> samples.sample(count, state)));
        metrics.counter("http_requests_shed_total")
                .help("Requests refused under overload, by when: queue full, or late after a wait.")
                .labels("when")
                .read(samples -> handler.shed().forEach((when, count) -> samples.sample((double) count, when)));
        metrics.gauge("http_request_body_bytes_held")
                .help("Bytes of request bodies that have not arrived completely.")
                .read(handler.bodies()::used);
        metrics.counter("http_request_bodies_displaced_total")
                .help("Request bodies evicted because their memory was needed for others.")
                .read(handler.bodies()::evicted);
    }

    /** Whether a request thread runs a task within this time. Some threads are reserved for operators, so load alone does not delay it. */
    public boolean isResponsive(Duration limit) throws InterruptedException {
        CountDownLatch taken = new CountDownLatch(1);
        executor.execute(taken::countDown);
        return taken.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Starts listening.
     *
     * @throws ListenException if an address cannot be opened
     */
    public void start() throws IOException {
        for (Map.Entry<String, ServerConnector> listener : listeners.entrySet()) {
            try {
                listener.getValue().open();
            } catch (IOException | RuntimeException e) {
                // Stopping a server that never ran does not close them.
                listeners.values().forEach(ServerConnector::close);
                stop(Duration.ZERO);
                throw new ListenException(listener.getKey(), e);
            }
        }
        try {
            jetty.start();
        } catch (Exception e) {
            stop(Duration.ZERO);
            throw e instanceof IOException io ? io : new IOException("the HTTP server did not start", e);
        }
    }

    /** The port of a listener, also if it was selected automatically. */
    public int port(String name) {
        return Objects.requireNonNull(listeners.get(name), name).getLocalPort();
    }

    /** Asks clients to close their connections from now on; requests are still handled. */
    public void drain() {
        handler.drain();
    }

    /**
     * Stops listening and waits for requests in progress.
     *
     * @return whether all of them finished in time
     */
    public boolean stop(Duration timeout) {
        jetty.setStopTimeout(timeout.toMillis());
        try {
            jetty.stop();
            return true;
        } catch (Exception e) {
            return false;
        }
    }

    /** The queue is bounded by the limits on connections and on streams per connection. */
    private static QueuedThreadPool threads(int concurrency) {
        QueuedThreadPool pool = new QueuedThreadPool(concurrency + EXTRA_THREADS, EXTRA_THREADS, 60_000);
        pool.setName("http");
        if (VirtualThreads.areSupported()) {
            VirtualThreadPool virtual = new VirtualThreadPool(concurrency);
            virtual.setName("http-virtual-");
            pool.setVirtualThreadsExecutor(virtual);
            pool.addBean(virtual, true);
        }
        return pool;
    }
}
