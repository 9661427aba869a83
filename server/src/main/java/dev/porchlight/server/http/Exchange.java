// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.http.CorrelationId;
import dev.porchlight.observe.http.ObservedRequest;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.trace.Span;
import dev.porchlight.server.limit.ClientAddresses;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, with the state that middleware and handlers share. Confined to the thread that handles the
 * request. The state contains {@value #CORRELATION_ID} and {@value #LOGGER} by the time a handler is called.
 */
public final class Exchange extends ReceivedRequest {
    /** The state key of the request's correlation id, a string. */
    public static final String CORRELATION_ID = "correlationId";

    /** The state key of the logger bound to the correlation id. */
    public static final String LOGGER = "logger";

    private final org.eclipse.jetty.server.Response response;
    private final ResponseWriter writer;
    private final Map<String, Object> state = new HashMap<>();
    private Span span = Span.none();
    private @Nullable Throwable failure;
    private @Nullable Consumer<EventStream> stream;
    private CompletableFuture<Void> written = CompletableFuture.completedFuture(null);
    private RateLimiting.@Nullable Charge charge;
    private int status;
    private long bytesSent;
    private long endNanos;

    Exchange(
            Request request,
            org.eclipse.jetty.server.Response response,
            Router.Match match,
            BodyReader body,
            ResponseWriter writer,
            ClientAddresses clients) {
        super(request, match, body, clients);
        this.response = response;
        this.writer = writer;
    }

    // What the request costs.

    /** Sets the charge of this request; without one nothing is counted. */
    void charge(RateLimiting.Charge newCharge) {
        charge = newCharge;
    }

    /** Records that the caller is authenticated; refused with 429 if the user's budget is used up. */
    public void authenticated(String userId) throws ProblemException {
        if (charge != null) {
            charge.authenticated(userId);
        }
    }

    /** Records that an OpenID Connect client is authenticated; refused with 429 if its budget is used up. */
    public void client(String clientId) throws ProblemException {
        if (charge != null) {
            charge.client(clientId);
        }
    }

    /**
     * Records that the caller is not authenticated; refused with 429 if the address's budget is used up.
     *
     * @param presented whether the request had a token or a session
     */
    public void unauthenticated(boolean presented) throws ProblemException {
        if (charge != null) {
            charge.unauthenticated(presented);
        }
    }

    // The state.

    public @Nullable Object state(String key) {
        return state.get(key);
    }

    public String correlationId() {
        return (String) Objects.requireNonNull(state.get(CORRELATION_ID));
    }

    public Logger logger() {
        return (Logger) Objects.requireNonNull(state.get(LOGGER));
    }

    /** The request's span; a no-op span if the request is not traced. */
    public Span span() {
        return span;
    }

    /** Sets the span, the correlation id, which the response echoes, and the logger bound to it. */
    void observed(ObservedRequest observed) {
        span = observed.span();
        state.put(CORRELATION_ID, observed.correlationId());
        state.put(LOGGER, observed.logger());
        responseHeader(CorrelationId.HEADER, observed.correlationId());
    }

    // The response.

    /** Sets a header of the response, including error responses. */
    public void responseHeader(String name, String value) {
        response.getHeaders().put(name, value);
    }

    /** Sends the response; most clients have received it when this returns. */
    void send(Response toSend) throws IOException {
        if (status != 0) {
            throw new IllegalStateException("a response was already sent");
        }
        status = toSend.status();
        bytesSent = endpoint().method() == Method.HEAD ? 0 : toSend.body().length;
        written = writer.write(request, response, toSend);
        stream = toSend.stream();
    }

    /** Takes over a streamed response once middleware is done. */
    @Nullable
    Consumer<EventStream> stream() {
        return stream;
    }

    /** Completes when the client has received the response. */
    CompletableFuture<Void> written() {
        return written;
    }

    /** The status sent, or 0 before a response. */
    public int status() {
        return status;
    }

    /** Records that the client did not receive the whole response. */
    void clientGone(ResponseWriter.ClientGoneException cause) {
        status = ObservedRequest.CLIENT_CLOSED_REQUEST;
        failure = cause;
    }

    /** The server error or disconnect that ended the request, if any. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    void failure(Throwable cause) {
        failure = cause;
    }

    long bytesSent() {
        return bytesSent;
    }

    /** Marks the end, so that all telemetry reports the same duration. */
    void end() {
        endNanos = System.nanoTime();
    }

    long endNanos() {
        return endNanos;
    }

    /** The time from the end of the request's headers to the end of the response, including the wait for a thread. */
    long durationNanos() {
        return Math.max(0, endNanos - request.getHeadersNanoTime());
    }
}
