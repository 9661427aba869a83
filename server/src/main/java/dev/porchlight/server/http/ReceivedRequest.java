// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.base.IpAddress;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.observe.http.HttpServerRequest;
import dev.porchlight.server.limit.ClientAddresses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** The request of an exchange, as the client and trusted proxies sent it. */
abstract class ReceivedRequest implements HttpServerRequest {
    final Request request;
    private final Router.Match match;
    private final BodyReader body;
    private final String client;
    private final String scheme;
    private @Nullable String limitKey;

    ReceivedRequest(Request request, Router.Match match, BodyReader body, ClientAddresses clients) {
        this.request = request;
        this.match = match;
        this.body = body;
        this.client = Requests.clientAddress(request, clients);
        this.scheme = Requests.scheme(request, clients);
    }

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
}
