// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpException;
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
    private final Admission admission;
    private final IdentityHashMap<Connector, Router> routers = new IdentityHashMap<>();
    private volatile boolean draining;

    ServerHandler(Limits limits, Pipeline pipeline, SlowHeaders slowHeaders, Admission admission) {
        this.limits = limits;
        this.pipeline = pipeline;
        this.slowHeaders = slowHeaders;
        this.admission = admission;
    }

    /** Before the start only. */
    void route(Connector connector, Router router) {
        routers.put(connector, router);
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
        Router.Match match = router(request)
                .match(Method.of(request.getMethod()), request.getHttpURI().getPath());
        if (match.endpoint.limited()) {
            admission.enter(
                    match.endpoint.begins(),
                    () -> serve(match, request, response, callback),
                    () -> Overload.refuse(request, response, callback));
        } else {
            serve(match, request, response, callback);
        }
        return true;
    }

    /** Jetty's own refusals, such as of a request line that is none, in our words and with our telemetry. */
    boolean refuse(Request request, Response response, Callback callback) {
        Object cause = request.getAttribute(ErrorHandler.ERROR_EXCEPTION);
        Problem problem = problem(cause instanceof HttpException http ? http.getCode() : response.getStatus());
        Endpoint unmatched = router(request).unmatched(Method.of(request.getMethod())).endpoint;
        Endpoint refusing = unmatched.answering(exchange -> problem.answer(exchange.correlationId()));
        response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
        serve(new Router.Match(refusing), request, response, callback);
        return true;
    }

    private void serve(Router.Match match, Request request, Response response, Callback callback) {
        Exchange exchange = new Exchange(request, response, limits, match);
        if (draining) {
            response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
        }
        Connection connection = request.getConnectionMetaData().getConnection();
        slowHeaders.busy(connection, true);
        try {
            pipeline.run(exchange);
            if (!(exchange.failure() instanceof ClientGoneException)) {
                exchange.discardRest();
            }
        } catch (Throwable fault) { // middleware is broken: nobody is left to tell but the client, by hanging up
            callback.failed(fault);
            return;
        } finally {
            slowHeaders.busy(connection, false);
        }
        Consumer<EventStream> stream = exchange.stream();
        if (exchange.failure() instanceof ClientGoneException gone) {
            callback.failed(new Request.Handler.AbortException(gone)); // not even Jetty need try to tell the client
        } else if (stream != null && exchange.endpoint().method() != Method.HEAD) {
            stream.accept(new EventStream(response, callback));
        } else {
            callback.succeeded();
        }
    }

    private Router router(Request request) {
        return Objects.requireNonNull(
                routers.get(request.getConnectionMetaData().getConnector()));
    }

    private static Problem problem(int status) {
        return switch (status) {
            case 408 -> Problem.TOO_SLOW;
            case 413 -> Problem.TOO_LARGE;
            case 414 -> Problem.of(414, "uri_too_long", "The request's address is too long");
            case 431 -> Problem.of(431, "headers_too_large", "The request's headers are too large");
            // A transfer encoding or a version of HTTP that there is not: the client's doing.
            case 501, 505 -> new Problem(400, "malformed_request", "The request is malformed", null);
            case 503 -> Problem.of(503, "shutting_down", "The service is shutting down");
            default ->
                HttpStatus.isClientError(status)
                        ? new Problem(status, "malformed_request", "The request is malformed", null)
                        : Problem.INTERNAL;
        };
    }
}
