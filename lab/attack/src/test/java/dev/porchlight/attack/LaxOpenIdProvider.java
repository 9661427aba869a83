// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import com.sun.net.httpserver.HttpExchange;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/** An OpenID Provider that accepts every client, redirect URI, code, token and proof. */
final class LaxOpenIdProvider {
    private static final String DISCOVERY = "/.well-known/openid-configuration";
    private static final String CALLBACK = "https://app.example/callback";

    private final UnaryOperator<String> tokens;

    /** A provider that issues tokens for users with this function. */
    LaxOpenIdProvider(UnaryOperator<String> tokens) {
        this.tokens = tokens;
    }

    static boolean handles(String path) {
        return path.startsWith("/oauth2/") || path.startsWith(OpenIdClient.CLIENTS) || path.equals(DISCOVERY);
    }

    void handle(HttpExchange exchange, String path) throws IOException {
        switch (path) {
            case OpenIdClient.CLIENTS -> send(exchange, 201, new JsonObject().put("clientSecret", "secret"));
            case DISCOVERY -> send(exchange, 200, new JsonObject().put("issuer", "https://login.example"));
            case OpenIdClient.AUTHORIZE -> {
                String asked =
                        "state=" + parameter(exchange, "state") + "&redirect=" + parameter(exchange, "redirect_uri");
                redirect(exchange, "/?request=" + Octets.base64Url(Octets.utf8(asked)));
            }
            case "/oauth2/continue", "/oauth2/consent" ->
                redirect(exchange, CALLBACK + "?code=code&state=none&iss=https%3A%2F%2Fevil.example");
            case "/oauth2/logout" -> redirect(exchange, parameter(exchange, "post_logout_redirect_uri"));
            default ->
                send(
                        exchange,
                        200,
                        new JsonObject()
                                .put("access_token", tokens.apply("anybody"))
                                .put("id_token", tokens.apply("anybody"))
                                .put("refresh_token", "refresh")
                                .put("request_uri", "urn:request"));
        }
    }

    private static String parameter(HttpExchange exchange, String name) {
        String query = String.valueOf(exchange.getRequestURI().getRawQuery());
        for (String pair : query.split("&", -1)) {
            if (pair.startsWith(name + "=")) {
                return URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.ISO_8859_1);
            }
        }
        return "";
    }

    private static void redirect(HttpExchange exchange, String uri) throws IOException {
        exchange.getResponseHeaders().set("Location", uri.replaceAll("[^ -~]", ""));
        exchange.sendResponseHeaders(303, -1);
        exchange.close();
    }

    private static void send(HttpExchange exchange, int status, JsonObject body) throws IOException {
        byte[] octets = Octets.utf8(body.toString());
        exchange.getResponseHeaders().set("Access-Control-Allow-Origin", "*");
        exchange.sendResponseHeaders(status, octets.length);
        exchange.getResponseBody().write(octets);
        exchange.close();
    }
}
