// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.observe;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpPrincipal;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request to {@code /hello} without a network, whose noise would hide what a filter costs. */
final class MemoryExchange extends HttpExchange {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 8080);
    private static final URI TARGET = URI.create("/hello");

    private final HttpContext context;
    private final Headers request = new Headers();
    private final Headers response = new Headers();
    private OutputStream body = OutputStream.nullOutputStream();
    private int status = -1;

    MemoryExchange(HttpContext context) {
        this.context = context;
        request.set("Host", "localhost:8080");
        request.set("User-Agent", "bench");
        request.set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    }

    @Override
    public Headers getRequestHeaders() {
        return request;
    }

    @Override
    public Headers getResponseHeaders() {
        return response;
    }

    @Override
    public URI getRequestURI() {
        return TARGET;
    }

    @Override
    public String getRequestMethod() {
        return "GET";
    }

    @Override
    public HttpContext getHttpContext() {
        return context;
    }

    @Override
    public void close() {
        try {
            body.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public InputStream getRequestBody() {
        return InputStream.nullInputStream();
    }

    @Override
    public OutputStream getResponseBody() {
        return body;
    }

    @Override
    public void sendResponseHeaders(int code, long length) {
        status = code;
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return ADDRESS;
    }

    @Override
    public int getResponseCode() {
        return status;
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        return ADDRESS;
    }

    @Override
    public String getProtocol() {
        return "HTTP/1.1";
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return null;
    }

    @Override
    public void setAttribute(String name, Object value) {
        // no filter of the benchmark uses them
    }

    @Override
    public void setStreams(@Nullable InputStream in, @Nullable OutputStream out) {
        body = out == null ? body : out;
    }

    @Override
    public @Nullable HttpPrincipal getPrincipal() {
        return null;
    }

    /** The context of the handler. */
    static final class Context extends HttpContext {
        @Override
        public @Nullable HttpHandler getHandler() {
            return null;
        }

        @Override
        public void setHandler(HttpHandler handler) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String getPath() {
            return "/hello";
        }

        @Override
        public @Nullable HttpServer getServer() {
            return null;
        }

        @Override
        public Map<String, Object> getAttributes() {
            return Map.of();
        }

        @Override
        public List<Filter> getFilters() {
            return List.of();
        }

        @Override
        public @Nullable Authenticator setAuthenticator(Authenticator authenticator) {
            return null;
        }

        @Override
        public @Nullable Authenticator getAuthenticator() {
            return null;
        }
    }
}
