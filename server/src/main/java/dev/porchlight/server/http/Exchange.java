// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.base.IpAddress;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.observe.http.CorrelationId;
import dev.porchlight.observe.http.HttpServerRequest;
import dev.porchlight.observe.http.ObservedRequest;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.trace.Span;
import dev.porchlight.server.limit.ClientAddresses;
import java.io.IOException;
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
public final class Exchange implements HttpServerRequest {
    /** The state key of the request's correlation id, a string. */
    public static final String CORRELATION_ID = "correlationId";

    /** The state key of the logger bound to the correlation id. */
    public static final String LOGGER = "logger";

    private final Request request;
    private final org.eclipse.jetty.server.Response response;
    private final BodyReader body;
    private final ResponseWriter writer;
    private final Router.Match match;
    private final String client;
    private @Nullable String limitKey;
    private final String scheme;
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
        this.request = request;
        this.response = response;
        this.match = match;
        this.body = body;
        this.writer = writer;
        this.client = Requests.clientAddress(request, clients);
        this.scheme = Requests.scheme(request, clients);
    }

    // The request.

    public Endpoint endpoint() {
        return match.endpoint;
    }

    /** The method as the client sent it; use {@link Endpoint#method()} for decisions. */
    @Override
    public String method() {
        return request.getMethod();
    }

    /** A decoded path parameter, which the template must have. */
    public String pathParameter(String name) {
        return Requests.decodedSegment(match.value(name));
    }

    /** A query parameter, or null if absent. A repeated parameter is refused as ambiguous. */
    public @Nullable String queryParameter(String name) throws ProblemException {
        List<String> values = Requests.queryParameters(request, name);
        if (values.size() > 1) {
            throw new ProblemException(Problem.malformed("The query parameter " + name + " appears more than once."));
        }
        return values.isEmpty() ? null : values.get(0);
    }

    /** The path as the client wrote it. */
    public String path() {
        return request.getHttpURI().getPath();
    }

    /** The query as the client wrote it, or null. */
    public @Nullable String query() {
        return request.getHttpURI().getQuery();
    }

    /** The template: paths contain user ids. */
    @Override
    public String tracedPath() {
        return endpoint().route();
    }

    @Override
    public @Nullable String header(String name) {
        return request.getHeaders().get(name);
    }

    @Override
    public List<String> headers(String name) {
        List<String> values = request.getHeaders().getValuesList(name);
        values.replaceAll(value -> value == null ? "" : value); // Jetty returns null for an empty value
        return values;
    }

    /** {@code http} or {@code https}, as the client sees it. */
    @Override
    public String scheme() {
        return scheme;
    }

    /** The address of the connected peer: the client, or the last proxy. */
    public String peerAddress() {
        return Requests.peerAddress(request);
    }

    /** The address of the client, as reported by trusted proxies. */
    @Override
    public String clientAddress() {
        return client;
    }

    /** The address of the client, as limits count it. */
    public String limitKey() {
        String key = limitKey;
        if (key == null) {
            key = IpAddress.limitKey(client);
            limitKey = key;
        }
        return key;
    }

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

    /**
     * Refuses an OpenID Connect client with 429 if its budget is used up.
     *
     * @param authenticated whether the request is proved to come from the client, and counts
     */
    public void client(String clientId, boolean authenticated) throws ProblemException {
        if (charge != null) {
            charge.client(clientId, authenticated);
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

    /** The host and port of the request URL, as the client sent them. HTTP/2 has no Host header. */
    String authority() {
        String host = header("Host");
        return host != null ? host : String.valueOf(request.getHttpURI().getAuthority());
    }

    @Override
    public String serverName() {
        return Request.getServerName(request);
    }

    @Override
    public int serverPort() {
        return Request.getServerPort(request);
    }

    @Override
    public String protocolVersion() {
        return Requests.protocolVersion(request);
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

    /** The body of a request that declares a form; any other is refused with 415. */
    public String formText() throws ProblemException, IOException {
        if (!Requests.isForm(request.getHeaders())) {
            throw new ProblemException(Problem.NOT_FORM);
        }
        return new String(body(), StandardCharsets.ISO_8859_1); // only ASCII is valid, which the parser checks
    }

    public JsonObject jsonObject() throws ProblemException, IOException, MalformedException {
        return JsonObject.parse(jsonText(), "");
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
