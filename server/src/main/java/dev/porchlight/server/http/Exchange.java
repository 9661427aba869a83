// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.trace.Span;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, with the state that middleware and handlers share.
 *
 * <p>Belongs to the thread that handles the request. The state always holds {@value #CORRELATION_ID} and {@value #LOGGER}
 * by the time a handler is called.
 */
public final class Exchange {
    /** The state key of the request's correlation id, a text. */
    public static final String CORRELATION_ID = "correlationId";

    /** The state key of the logger bound to the correlation id. */
    public static final String LOGGER = "logger";

    /** What access logs call it when a client closes the connection before it has its answer. */
    private static final int GONE = 499;

    private static final Pattern JSON =
            Pattern.compile("application/json(\\s*;\\s*charset=\"?utf-8\"?)?", Pattern.CASE_INSENSITIVE);

    /** Browsers resolve localhost and the names below it to this machine, whatever a name server says. */
    private static final Pattern LOOPBACK = Pattern.compile(
            "(?:[a-z0-9-]+\\.)*localhost|127(?:\\.\\d{1,3}){3}|\\[?(?:::1|0:0:0:0:0:0:0:1)]?",
            Pattern.CASE_INSENSITIVE);

    private final Request request;
    private final Response response;
    private final BodyReader body;
    private final AnswerWriter writer;
    private final Router.Match match;
    private final Map<String, Object> state = new HashMap<>();
    private Span span = Span.none();
    private @Nullable Throwable failure;
    private @Nullable String client;
    private @Nullable String forwardedScheme;
    private @Nullable Consumer<EventStream> stream;
    private CompletableFuture<Void> written = CompletableFuture.completedFuture(null);
    private boolean synthetic;
    private @Nullable Charge charge;
    private int status;
    private long bytesSent;
    private long endNanos;

    Exchange(Request request, Response response, Router.Match match, BodyReader body, AnswerWriter writer) {
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

    /** The path as the client wrote it, without the query. */
    public String path() {
        String path = request.getHttpURI().getPath();
        return path == null ? "" : path;
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

    /** A parameter of the query, or null when it is absent. One given twice is refused: which of them would count? */
    public @Nullable String queryParameter(String name) throws ProblemException {
        List<String> values;
        try {
            Fields.Field field = Request.extractQueryParameters(request).get(name);
            values = field == null ? List.of() : field.getValues();
        } catch (RuntimeException malformed) {
            throw new ProblemException(Problem.malformed("The query is not well-formed"));
        }
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
        return peerAddress(request);
    }

    static String peerAddress(Request request) {
        return bare(Request.getRemoteAddr(request));
    }

    /** Whether the other end is on this machine: at a loopback address, or at the very one that it connected to. */
    boolean fromThisMachine() {
        ConnectionMetaData ends = request.getConnectionMetaData();
        return ends.getRemoteSocketAddress() instanceof InetSocketAddress peer
                && ends.getLocalSocketAddress() instanceof InetSocketAddress own
                && peer.getAddress() != null
                && (peer.getAddress().isLoopbackAddress() || peer.getAddress().equals(own.getAddress()));
    }

    /** An IPv6 address without the brackets and the zone that it has in other places. */
    private static String bare(String address) {
        if (!address.startsWith("[")) {
            return address;
        }
        int zone = address.indexOf('%');
        return address.substring(1, zone < 0 ? address.length() - 1 : zone);
    }

    /** Whom the request comes from, as far as we can know. */
    public String clientAddress() {
        return client == null ? peerAddress() : client;
    }

    void clientAddress(String address) {
        client = address;
    }

    void scheme(String forwarded) {
        forwardedScheme = forwarded;
    }

    /** Whether it is the service's own canary that asks, and no user. */
    public boolean synthetic() {
        return synthetic;
    }

    void markSynthetic() {
        synthetic = true;
    }

    /** Sets what the request is charged to; without it nothing is counted. */
    void charge(Charge newCharge) {
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

    /** Whether the host that the client asked for is this machine by any name: a loopback address or {@code localhost}. */
    public boolean hasLoopbackHost() {
        return LOOPBACK.matcher(serverName()).matches();
    }

    /** The protocol version: {@code 1.1}. */
    public String protocolVersion() {
        String protocol = request.getConnectionMetaData().getProtocol();
        return protocol.substring(protocol.indexOf('/') + 1);
    }

    /** The body, whole, refused when it was too large or came too slowly. */
    public byte[] body() throws ProblemException, IOException {
        return body.read();
    }

    /** The body of a request that says it is JSON, in UTF-8 and not compressed; refused with 415 when it says otherwise. */
    public byte[] json() throws ProblemException, IOException {
        if (!isJson(request.getHeaders())) {
            throw new ProblemException(Problem.NOT_JSON);
        }
        return body();
    }

    static boolean isJson(HttpFields headers) {
        String type = headers.get(HttpHeader.CONTENT_TYPE);
        return type != null && JSON.matcher(type).matches() && !headers.contains(HttpHeader.CONTENT_ENCODING);
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

    // The answer.

    /** Sets a header that goes out with whatever is answered. */
    public void responseHeader(String name, String value) {
        response.getHeaders().put(name, value);
    }

    /** Sends the answer; most clients have it when this returns. There is one answer. */
    void send(Answer answer) throws IOException {
        if (status != 0) {
            throw new IllegalStateException("there was an answer already");
        }
        status = answer.status();
        bytesSent = endpoint().method() == Method.HEAD ? 0 : answer.body().length;
        written = writer.write(answer);
        stream = answer.stream();
    }

    /** Who takes over the answer when middleware is done with it, if it goes on. */
    @Nullable
    Consumer<EventStream> stream() {
        return stream;
    }

    /** The end of the answer, when the client has taken it. */
    CompletableFuture<Void> written() {
        return written;
    }

    /** The status the client got; 0 before there is an answer. */
    public int status() {
        return status;
    }

    /** Records that the client went without its whole answer, under the status others use for it. */
    void clientGone(ClientGoneException cause) {
        status = GONE;
        failure = cause;
    }

    /** Why the request failed on our side or broke off, if it did. */
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

    /** Marks the end, so that every signal tells the same duration. */
    void end() {
        endNanos = System.nanoTime();
    }

    long endNanos() {
        return endNanos;
    }

    /** From the end of the request's headers to the end of the answer, the wait for a thread included. */
    long durationNanos() {
        return Math.max(0, endNanos - request.getHeadersNanoTime());
    }
}
