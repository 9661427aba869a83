// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.server.limit.ClientAddresses;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Takes requests from Jetty, and the errors Jetty finds before there is a request, down the same pipeline. */
final class ServerHandler extends Handler.Abstract {
    private final Limits limits;
    private final Pipeline pipeline;
    private final SlowHeaders slowHeaders;
    private final SlowReaders slowReaders;
    private final Arrivals arrivals;
    private final Admission admission;
    private final Admission others;
    private final ClientAddresses clients;
    private final Screening screening;
    private final IdentityHashMap<Connector, Listener> listeners = new IdentityHashMap<>();
    private volatile boolean draining;

    ServerHandler(
            Limits limits,
            Pipeline pipeline,
            SlowHeaders slowHeaders,
            Arrivals arrivals,
            Admission admission,
            Admission others,
            ClientAddresses clients,
            Screening screening) {
        this.limits = limits;
        this.pipeline = pipeline;
        this.slowHeaders = slowHeaders;
        this.slowReaders = new SlowReaders(limits.waitedFor(), SlowReaders.LEFT);
        this.arrivals = arrivals;
        this.admission = admission;
        this.others = others;
        this.clients = clients;
        this.screening = screening;
    }

    private record Listener(Router router, ConnectionShares shares) {}

    /** Before the start only. */
    void route(Connector connector, Router router, ConnectionShares shares) {
        listeners.put(connector, new Listener(router, shares));
    }

    /** From now on every answer asks the client to close its connection and connect elsewhere. */
    void drain() {
        draining = true;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        // The path as it was written: were /%6Detrics or /x/../metrics another name of /metrics, a proxy that keeps
        // people
        // from the one would let them have the other.
        Router.Match match = listener(request)
                .router()
                .match(Method.of(request.getMethod()), request.getHttpURI().getPath());
        Connection connection = request.getConnectionMetaData().getConnection();
        slowHeaders.busy(connection, true);
        OpenConnection open = listener(request).shares().of(connection);
        Callback end = open == null ? callback : Callback.from(open::requestEnded, callback);
        if (open != null) {
            open.requestBegun();
        }
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
        return new BodyReader(request, () -> Forwarded.limitKey(clients, request), limits, arrivals);
    }

    /** A request that is refused for its path, method, media type or lack of credentials is answered without its body. */
    private boolean waitsForBody(Endpoint endpoint, Request request) {
        HttpFields headers = request.getHeaders();
        return endpoint.takesBody()
                && !(endpoint.guarded() && !Exchange.isJson(headers))
                && !screening.refuses(
                        endpoint, headers.get(HttpHeader.AUTHORIZATION), headers.getValuesList(HttpHeader.COOKIE));
    }

    /** Whoever has not sent what was to be sent needs nobody's work, and gets no place that others need. */
    private void enter(Router.Match match, BodyReader body, Request request, Response response, Callback callback) {
        Runnable work = () -> serve(match, body, request, response, callback);
        if (match.endpoint.always()) {
            work.run();
        } else {
            Admission places = match.endpoint.limited() && !body.unfinished() ? admission : others;
            places.enter(match.endpoint.begins(), work, () -> shed(request, response, callback));
        }
    }

    private void shed(Request request, Response response, Callback callback) {
        slowHeaders.busy(request.getConnectionMetaData().getConnection(), false);
        try {
            Overload.refuse(request, response, callback);
        } catch (RuntimeException | Error fault) {
            callback.failed(fault);
        }
    }

    /** Jetty's own refusals, such as of a request line that is none, in our words and with our telemetry. */
    boolean refuse(Request request, Response response, Callback callback) {
        Object cause = request.getAttribute(ErrorHandler.ERROR_EXCEPTION);
        Problem problem = problem(cause instanceof HttpException http ? http.getCode() : response.getStatus());
        Endpoint unmatched = listener(request).router().unmatched(Method.of(request.getMethod())).endpoint;
        Endpoint refusing = unmatched.answering(exchange -> problem.answer(exchange.correlationId()));
        response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
        serve(new Router.Match(refusing), body(request), request, response, callback);
        return true;
    }

    private void serve(Router.Match match, BodyReader body, Request request, Response response, Callback callback) {
        AnswerWriter writer = new AnswerWriter(request, response, limits, slowReaders);
        Exchange exchange = new Exchange(request, response, match, body, writer);
        if (draining) {
            response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
        }
        Connection connection = request.getConnectionMetaData().getConnection();
        Callback end = Callback.from(() -> slowHeaders.busy(connection, false), callback);
        OpenConnection open = listener(request).shares().of(connection);
        if (open != null) {
            open.workBegun();
        }
        try {
            pipeline.run(exchange);
        } catch (Throwable fault) { // middleware is broken: nobody is left to tell but the client, by hanging up
            end.failed(fault);
            return;
        } finally {
            if (open != null) {
                open.workEnded();
            }
        }
        Consumer<EventStream> stream = exchange.stream();
        if (exchange.failure() instanceof ClientGoneException gone) {
            hangUp(end, gone);
        } else if (stream != null && exchange.endpoint().method() != Method.HEAD) {
            slowHeaders.busy(connection, false);
            stream.accept(new EventStream(response, callback));
        } else {
            CompletableFuture<Void> unused = exchange.written().whenComplete((taken, failure) -> {
                if (failure == null) {
                    body.discardRest(end::succeeded);
                } else {
                    hangUp(end, failure);
                }
            });
        }
    }

    /** Not even Jetty need try to tell the client. */
    private static void hangUp(Callback end, Throwable gone) {
        end.failed(new Request.Handler.AbortException(gone));
    }

    private Listener listener(Request request) {
        return Objects.requireNonNull(
                listeners.get(request.getConnectionMetaData().getConnector()));
    }

    private static Problem problem(int status) {
        return switch (status) {
            case 408 -> Problem.TOO_SLOW;
            case 413 -> Problem.TOO_LARGE;
            case 414 -> Problem.of(414, "uri_too_long", "The request's address is too long");
            case 431 -> Problem.of(431, "headers_too_large", "The request's headers are too large");
            // An unknown transfer encoding, an unknown version, or HTTP/2 without TLS: the client's fault.
            case 426, 501, 505 -> new Problem(400, "malformed_request", "The request is malformed", null);
            case 503 -> Problem.of(503, "shutting_down", "The service is shutting down");
            default ->
                HttpStatus.isClientError(status)
                        ? new Problem(status, "malformed_request", "The request is malformed", null)
                        : Problem.INTERNAL;
        };
    }
}
