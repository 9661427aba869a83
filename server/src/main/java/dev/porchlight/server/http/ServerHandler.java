// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import static dev.porchlight.base.CommonProblem.MALFORMED_REQUEST;

import dev.porchlight.server.limit.ClientAddresses;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;

/** Passes requests from Jetty, and errors that Jetty finds before there is a request, through the same middleware. */
final class ServerHandler extends Handler.Abstract {
    private final Limits limits;
    private final Executor executor;
    private final ClientAddresses clients;
    private final Access.Screening screening;
    private final Middleware.Next chain;
    private final BodyBudget bodies;
    private final Admission auth;
    private final Admission pages;
    private final ResponseWriter writer;
    private final IdentityHashMap<Connector, Listener> listeners = new IdentityHashMap<>();
    private volatile boolean draining;

    ServerHandler(
            Limits limits,
            Executor executor,
            Scheduler scheduler,
            ClientAddresses clients,
            Access.Screening screening,
            List<Middleware> middleware) {
        this.limits = limits;
        this.executor = executor;
        this.clients = clients;
        this.screening = screening;
        this.chain = Middleware.chain(List.copyOf(middleware));
        this.bodies = new BodyBudget(limits.bodyBudget(), limits.bodyBudgetPerAddress());
        this.auth = new Admission(limits.authConcurrency(), executor, scheduler, System::nanoTime);
        this.pages = new Admission(limits.pageConcurrency(), executor, scheduler, System::nanoTime);
        this.writer = new ResponseWriter(limits);
    }

    private record Listener(Router router, ConnectionShares shares) {}

    /** Adds a listener. Called before the start. */
    void listen(Connector connector, Router router, ConnectionShares shares) {
        listeners.put(connector, new Listener(router, shares));
    }

    /** Makes every later response ask the client to close its connection. */
    void drain() {
        draining = true;
    }

    BodyBudget bodies() {
        return bodies;
    }

    /** The number of requests being handled and waiting on the auth routes. */
    Map<String, Integer> load() {
        return auth.load();
    }

    /** The number of requests refused under overload, by whether they had waited. */
    Map<String, Long> shed() {
        Map<String, Long> refused = new HashMap<>(auth.refused());
        pages.refused().forEach((when, count) -> refused.merge(when, count, Long::sum));
        return refused;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        // The raw path: a proxy's rule for /metrics would not cover /%6Detrics or /x/../metrics.
        Router.Match match = listener(request)
                .router()
                .match(Method.of(request.getMethod()), request.getHttpURI().getPath());
        OpenConnection open = connection(request);
        Callback end = Callback.from(open::requestEnded, callback);
        open.requestBegun();
        BodyReader body = body(request);
        if (waitsForBody(match.endpoint, request)) {
            body.arrive(() -> enter(match, body, request, response, end), () -> shed(request, response, end));
        } else {
            body.skip();
            enter(match, body, request, response, end);
        }
        return true;
    }

    private BodyReader body(Request request) {
        return new BodyReader(request, () -> Requests.limitKey(request, clients), limits, bodies, executor);
    }

    /** Whether the response depends on the body; invalid paths, methods, media types and missing credentials are refused without it. */
    private boolean waitsForBody(Endpoint endpoint, Request request) {
        HttpFields headers = request.getHeaders();
        return endpoint.acceptsBody()
                && !(endpoint.access().guarded() && !endpoint.access().accepts(headers))
                && !screening.refuses(
                        endpoint.access(),
                        headers.get(HttpHeader.AUTHORIZATION),
                        headers.getValuesList(HttpHeader.COOKIE));
    }

    /** A request whose body did not arrive will be refused, which needs no slot of the auth routes. */
    private void enter(Router.Match match, BodyReader body, Request request, Response response, Callback callback) {
        Runnable work = () -> serve(match, body, request, response, callback);
        Access access = match.endpoint.access();
        if (access.capacity() == Access.Capacity.RESERVED) {
            work.run();
        } else {
            Admission places = access.capacity() == Access.Capacity.AUTH && !body.unfinished() ? auth : pages;
            places.enter(access.beginsCeremony(), work, () -> shed(request, response, callback));
        }
    }

    private void shed(Request request, Response response, Callback callback) {
        try {
            Overload.refuse(request, response, callback);
        } catch (RuntimeException | Error fault) {
            callback.failed(fault);
        }
    }

    /** Reports Jetty's own refusals, such as of an invalid request line, as problems with telemetry. */
    boolean refuse(Request request, Response response, Callback callback) {
        Object cause = request.getAttribute(ErrorHandler.ERROR_EXCEPTION);
        Problem problem = problem(cause instanceof HttpException http ? http.getCode() : response.getStatus());
        Endpoint refusing = new Endpoint(
                Method.of(request.getMethod()),
                null,
                Access.PUBLIC,
                true,
                exchange -> problem.response(exchange.correlationId()));
        response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
        serve(new Router.Match(refusing), body(request), request, response, callback);
        return true;
    }

    private void serve(Router.Match match, BodyReader body, Request request, Response response, Callback callback) {
        Exchange exchange = new Exchange(request, response, match, body, writer, clients);
        if (draining) {
            response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
        }
        OpenConnection open = connection(request);
        open.workBegun();
        try {
            chain.proceed(exchange);
        } catch (Throwable fault) { // middleware failed, so the connection can only be closed
            callback.failed(fault);
            return;
        } finally {
            open.workEnded();
        }
        Consumer<EventStream> stream = exchange.stream();
        if (exchange.failure() instanceof ResponseWriter.ClientGoneException gone) {
            hangUp(callback, gone);
        } else if (stream != null && exchange.endpoint().method() != Method.HEAD) {
            stream.accept(new EventStream(response, callback));
        } else {
            CompletableFuture<Void> unused = exchange.written().whenComplete((taken, failure) -> {
                if (failure == null) {
                    body.discardRest(callback::succeeded);
                } else {
                    hangUp(callback, failure);
                }
            });
        }
    }

    /** Closes the connection without an error response, which the client would not receive. */
    private static void hangUp(Callback callback, Throwable gone) {
        callback.failed(new Request.Handler.AbortException(gone));
    }

    private Listener listener(Request request) {
        return Objects.requireNonNull(
                listeners.get(request.getConnectionMetaData().getConnector()));
    }

    private OpenConnection connection(Request request) {
        return listener(request).shares().of(request.getConnectionMetaData().getConnection());
    }

    private static Problem problem(int status) {
        return switch (status) {
            case 408 -> Problem.TOO_SLOW;
            case 413 -> Problem.TOO_LARGE;
            case 414 -> Problem.of(414, "uri_too_long", "The request URL is too long.");
            case 431 -> Problem.of(431, "headers_too_large", "The request headers are too large.");
            // An unknown transfer encoding or version, or HTTP/2 without TLS: client errors.
            case 426, 501, 505 -> Problem.of(MALFORMED_REQUEST);
            case 503 -> Problem.SHUTTING_DOWN;
            default ->
                HttpStatus.isClientError(status)
                        ? Problem.of(status, MALFORMED_REQUEST.code(), MALFORMED_REQUEST.error())
                        : Problem.INTERNAL;
        };
    }
}
