// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.trace.Span;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
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
public final class Exchange {
    /** The state key of the request's correlation id, a text. */
    public static final String CORRELATION_ID = "correlationId";

    /** The state key of the logger bound to the correlation id. */
    public static final String LOGGER = "logger";

    /** The status in access logs of a client that closed the connection before it had its response. */
    private static final int CLIENT_CLOSED_REQUEST = 499;

    private final Request request;
    private final org.eclipse.jetty.server.Response response;
    private final BodyReader body;
    private final ResponseWriter writer;
    private final Router.Match match;
    private final Map<String, Object> state = new HashMap<>();
    private Span span = Span.none();
    private @Nullable Throwable failure;
    private @Nullable String client;
    private @Nullable String forwardedScheme;
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
            ResponseWriter writer) {
        this.request = request;
        this.response = response;
        this.match = match;
        this.body = body;
        this.writer = writer;
    }

    // The request.

    public Endpoint endpoint() {
        return match.endpoint;
    }

    /** The method as the client wrote it; {@link Endpoint#method()} is the one to decide by. */
    public String method() {
        return request.getMethod();
    }

    /**
     * A parameter of the route's template, decoded.
     *
     * @throws IllegalArgumentException if the template has no such parameter
     */
    public String pathParameter(String name) {
        int position = endpoint().position(name);
        if (position < 0) {
            throw new IllegalArgumentException(endpoint().route() + " has no parameter " + name);
        }
        String value = match.values[position];
        try {
            // by itself, without the rules for path parameters: /a;b is not another spelling of /a
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return value;
        }
    }

    /** A query parameter, or null when it is absent. A parameter given twice is refused as ambiguous. */
    public @Nullable String queryParameter(String name) throws ProblemException {
        List<String> values = Requests.queryParameters(request, name);
        if (values.size() > 1) {
            throw new ProblemException(Problem.malformed("The query parameter " + name + " is given more than once"));
        }
        return values.isEmpty() ? null : values.get(0);
    }

    /** The first header of that name, or null. */
    public @Nullable String header(String name) {
        return request.getHeaders().get(name);
    }

    /** All headers of that name, in order. */
    public List<String> headers(String name) {
        return request.getHeaders().getValuesList(name).stream()
                .map(value -> value == null ? "" : value) // as Jetty has it where nothing follows the colon
                .toList();
    }

    /** {@code http} or {@code https}, as the client sees it. */
    public String scheme() {
        if (forwardedScheme != null) {
            return forwardedScheme;
        }
        String scheme = request.getHttpURI().getScheme();
        return scheme == null ? "http" : scheme;
    }

    /** The other end of the connection: the client, or the last proxy. */
    public String peerAddress() {
        return Requests.peerAddress(request);
    }

    /** The client that sent the request, as far as trusted proxies report it. */
    public String clientAddress() {
        return client == null ? peerAddress() : client;
    }

    void clientAddress(String address) {
        client = address;
    }

    void scheme(String forwarded) {
        forwardedScheme = forwarded;
    }

    /** Sets what the request is charged to; without it nothing is counted. */
    void charge(RateLimiting.Charge newCharge) {
        charge = newCharge;
    }

    /** Records that the caller has proven who they are; refused with 429 if they have used up their own budget. */
    public void authenticated(String userId) throws ProblemException {
        if (charge != null) {
            charge.authenticated(userId);
        }
    }

    /**
     * Records that the caller has not proven who they are; refused with 429 if their address has used up its budget.
     *
     * @param presented whether they tried, with a token or a session
     */
    public void unauthenticated(boolean presented) throws ProblemException {
        if (charge != null) {
            charge.unauthenticated(presented);
        }
    }

    public String serverName() {
        return Request.getServerName(request);
    }

    public int serverPort() {
        return Request.getServerPort(request);
    }

    /** Whether the requested host is a loopback address or {@code localhost}. */
    public boolean hasLoopbackHost() {
        return Requests.isLoopback(serverName());
    }

    /** The protocol version: {@code 1.1}. */
    public String protocolVersion() {
        String protocol = request.getConnectionMetaData().getProtocol();
        return protocol.substring(protocol.indexOf('/') + 1);
    }

    /** The whole body; refused if it was too large or arrived too slowly. */
    public byte[] body() throws ProblemException, IOException {
        return body.read();
    }

    /**
     * The body of a request that declares uncompressed JSON in UTF-8; any other is refused with 415. Bytes that are not UTF-8
     * become replacement characters, which no member may contain.
     */
    public String jsonText() throws ProblemException, IOException {
        if (!Requests.isJson(request.getHeaders())) {
            throw new ProblemException(Problem.NOT_JSON);
        }
        return new String(body(), StandardCharsets.UTF_8);
    }

    public JsonObject jsonObject() throws ProblemException, IOException, MalformedException {
        return JsonObject.parse(jsonText(), "");
    }

    // The state.

    public @Nullable Object state(String key) {
        return state.get(key);
    }

    public void state(String key, Object value) {
        state.put(key, value);
    }

    public String correlationId() {
        return (String) Objects.requireNonNull(state.get(CORRELATION_ID));
    }

    public Logger logger() {
        return (Logger) Objects.requireNonNull(state.get(LOGGER));
    }

    /** The request's span; one that records nothing when the request is not traced. */
    public Span span() {
        return span;
    }

    void span(Span newSpan) {
        span = newSpan;
    }

    // The response.

    /** Sets a header of whatever response is sent. */
    public void responseHeader(String name, String value) {
        response.getHeaders().put(name, value);
    }

    /** Sends the response; most clients have it when this returns. */
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

    /** The status sent; 0 before there is a response. */
    public int status() {
        return status;
    }

    /** Records that the client did not receive the whole response. */
    void clientGone(ResponseWriter.ClientGoneException cause) {
        status = CLIENT_CLOSED_REQUEST;
        failure = cause;
    }

    /** The server-side error or disconnect that ended the request, if any. */
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

    /** Marks the end, so that every signal reports the same duration. */
    void end() {
        endNanos = System.nanoTime();
    }

    long endNanos() {
        return endNanos;
    }

    /** From the end of the request's headers to the end of the response, the wait for a thread included. */
    long durationNanos() {
        return Math.max(0, endNanos - request.getHeadersNanoTime());
    }
}
