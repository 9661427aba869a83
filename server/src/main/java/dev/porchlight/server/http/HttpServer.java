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
 * Listens on one or more addresses, for HTTP/1.1 and over TLS also HTTP/2, and takes every request through the middleware to its router's handler.
 *
 * <p>Handlers run on virtual threads where the JDK has them, otherwise on a bounded pool. Not thread-safe, except
 * {@link #drain()}, {@link #reloadTls}, {@link #takesWork} and the metrics.
 */
public final class HttpServer {
    private static final int THREADS_BESIDE_HANDLERS = 8;

    /**
     * The socket send buffer. The system's default grows to megabytes, which a thousand clients that send requests and read no
     * response would fill at the cost of seconds of work.
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

    /**
     * A server that listens nowhere yet.
     *
     * @param clients finds the address whose share a connection or request body takes
     * @param screening which requests are refused before their body has arrived
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
     * Adds an address under a name. Port 0 takes a free one.
     *
     * @param identity for TLS: a store with one private key and its certificates; null for plain HTTP
     */
    public HttpServer listen(String name, String host, int port, Router router, @Nullable KeyStore identity) {
        return listen(name, host, port, router, identity, limits.connections());
    }

    /** The same for operators, with separate connections that the other listeners cannot use up. */
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
     * Uses another private key and certificate chain for all TLS handshakes from now on.
     *
     * @throws IllegalArgumentException if it cannot be used; the previous one is then kept
     */
    public void reloadTls(KeyStore identity) {
        try {
            SslContextFactory.Server trial = Protocols.tls(identity);
            trial.start(); // a reload that fails would leave none
            trial.stop();
            for (SslContextFactory.Server tls : identities) {
                tls.reload(reloaded -> reloaded.setKeyStore(identity));
            }
        } catch (Exception e) {
            throw new IllegalArgumentException("a key and certificates that this JDK can use are needed", e);
        }
    }

    /** Registers the load of the server and what it refused. */
    public void register(MetricRegistry metrics) {
        registerConnections(metrics);
        registerRequests(metrics);
    }

    private void registerConnections(MetricRegistry metrics) {
        metrics.counter("http_connections_cut_total")
                .help("Connections closed because the client took too long, by what it did not finish.")
                .labels("unfinished")
                .read(samples -> slowHeaders.cutOff().forEach((what, count) -> samples.sample((double) count, what)));
        metrics.gauge("http_connections_open")
                .help("Open connections, by listener.")
                .labels("listener")
                .read(samples -> shares.forEach((listener, share) -> samples.sample(share.count(), listener)));
        metrics.gauge("http_connections_largest_address")
                .help("Open connections of the client address that has most, by listener.")
                .labels("listener")
                .read(samples -> shares.forEach((listener, share) -> samples.sample(share.largestCount(), listener)));
        metrics.counter("http_connections_displaced_total")
                .help("Connections closed because a share was used up, by listener and whether they were open or new.")
                .labels("listener", "how")
                .read(samples -> shares.forEach((listener, share) -> {
                    samples.sample((double) share.evicted(), listener, "evicted");
                    samples.sample((double) share.refused(), listener, "refused");
                }));
    }

    private void registerRequests(MetricRegistry metrics) {
        metrics.gauge("http_requests_in_work")
                .help("Requests of the auth and admin routes that are worked on, or wait for that, by state.")
                .labels("state")
                .read(samples -> handler.load().forEach((state, count) -> samples.sample(count, state)));
        metrics.counter("http_requests_shed_total")
                .help("Requests refused because too many were there, by whether they had waited.")
                .labels("when")
                .read(samples -> handler.shed().forEach((when, count) -> samples.sample((double) count, when)));
        metrics.gauge("http_request_body_bytes_held")
                .help("Memory of request bodies that have not arrived completely.")
                .read(handler.bodies()::used);
        metrics.counter("http_request_bodies_displaced_total")
                .help("Request bodies given up because their memory was needed for others.")
                .read(handler.bodies()::evicted);
    }

    /** Whether a request thread takes up work within this time. Some are kept for operators, so load alone does not delay it. */
    public boolean takesWork(Duration limit) throws InterruptedException {
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

    /** The port a listener got. */
    public int port(String name) {
        return Objects.requireNonNull(listeners.get(name), name).getLocalPort();
    }

    /** Asks clients to close their connections from now on; requests are still handled. */
    public void drain() {
        handler.drain();
    }

    /**
     * Stops listening and waits for the requests under way.
     *
     * @return whether all of them came to their end in time
     */
    public boolean stop(Duration patience) {
        jetty.setStopTimeout(patience.toMillis());
        try {
            jetty.stop();
            return true;
        } catch (Exception e) {
            return false;
        }
    }

    /** What waits for a thread is bounded by the connections and the streams that each may have. */
    private static QueuedThreadPool threads(int concurrency) {
        QueuedThreadPool pool =
                new QueuedThreadPool(concurrency + THREADS_BESIDE_HANDLERS, THREADS_BESIDE_HANDLERS, 60_000);
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
