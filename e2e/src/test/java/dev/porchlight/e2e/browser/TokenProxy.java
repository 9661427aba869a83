// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * A proxy between one application and the token endpoint. It keeps what it forwards, so that a test can do what an attacker does
 * who reads this traffic. It also delays codes.
 */
final class TokenProxy implements AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final HttpServer server;
    private final Site site;
    private volatile String credentials = "";
    private volatile String codeRequest = "";
    private volatile String refreshToken = "";
    private volatile Runnable onCode = () -> {};

    private TokenProxy(HttpServer server, Site site) {
        this.server = server;
        this.site = site;
    }

    static TokenProxy start(Site site) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        TokenProxy proxy = new TokenProxy(server, site);
        server.createContext("/", proxy::forward);
        server.start();
        return proxy;
    }

    String origin() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    String uri() {
        return origin() + "/oauth2/token";
    }

    /** Runs this before each code is forwarded. */
    void beforeCodes(Runnable action) {
        onCode = action;
    }

    private void forward(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpResponse<String> response = exchange.getRequestMethod().equals("GET") ? discovery() : token(exchange);
            byte[] body = response.body()
                    .replace(site.origin() + "/oauth2/token", uri())
                    .replace("revocation_endpoint\"", "no_revocation_endpoint\"")
                    .getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(response.statusCode(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /**
     * The discovery document, which names this proxy as the token endpoint. It has no revocation endpoint: an application that
     * revokes its tokens after a failed refresh would hide whether the service had revoked them.
     */
    private HttpResponse<String> discovery() throws IOException {
        return send(HttpRequest.newBuilder(URI.create(site.origin() + "/.well-known/openid-configuration"))
                .build());
    }

    private HttpResponse<String> token(HttpExchange exchange) throws IOException {
        String form = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        credentials = exchange.getRequestHeaders().getFirst("Authorization");
        if (form.contains("grant_type=authorization_code")) {
            codeRequest = form;
            onCode.run();
        }
        HttpResponse<String> response = post(form);
        if (response.statusCode() == 200) {
            refreshToken = JsonObject.parse(response.body()).string("refresh_token");
        }
        return response;
    }

    /** Sends the application's last request with a code once more. */
    JsonObject replayCode() throws IOException {
        return JsonObject.parse(post(codeRequest).body());
    }

    /** The refresh token that the application holds. */
    String refreshToken() {
        return refreshToken;
    }

    /** Uses a refresh token with the application's credentials. */
    JsonObject refresh(String token) throws IOException {
        return JsonObject.parse(
                post("grant_type=refresh_token&refresh_token=" + token).body());
    }

    private HttpResponse<String> post(String form) throws IOException {
        return send(HttpRequest.newBuilder(URI.create(site.origin() + "/oauth2/token"))
                .header("Authorization", credentials)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form))
                .build());
    }

    private static HttpResponse<String> send(HttpRequest request) throws IOException {
        try {
            return HTTP.send(request, BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
