// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.wire.JsonException;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A service with our routes and no checks: every attack must get through. */
final class LaxRelyingParty implements AutoCloseable {
    /** The key by which option requests are counted and limited. */
    enum Limit {
        NONE,
        /** The named user; only the latest challenges of a user are valid. */
        NAME,
        ADDRESS,
        /** Nothing is counted, but no user can sign in to a client. */
        NO_CODES
    }

    private static final CredentialKey KEY = KeyAlgorithm.ES256.generate(new SecureRandom());
    private static final int MOST_OPTIONS = 40;
    private static final int MOST_CHALLENGES = 10;
    /** More than the attack opens at once: with the default of 50, connections wait for seconds until the client tries again. */
    private static final int BACKLOG = 2_000;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, List<String>> passkeys = new ConcurrentHashMap<>();
    private final Map<String, List<String>> challenges = new ConcurrentHashMap<>();
    private final LaxOpenIdProvider openId = new LaxOpenIdProvider(LaxRelyingParty::token);
    private final HttpServer server;
    private final Limit limit;

    LaxRelyingParty() throws IOException {
        this(Limit.NONE);
    }

    LaxRelyingParty(Limit limit) throws IOException {
        this.limit = limit;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    int passkeysLeft() {
        return passkeys.values().stream().mapToInt(List::size).sum();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = Octets.text(exchange.getRequestBody().readAllBytes());
        String path = exchange.getRequestURI().getPath();
        if (String.valueOf(exchange.getRequestHeaders().getFirst("Connection")).contains("close")) {
            exchange.getResponseHeaders().set("Connection", "close"); // the server itself misses it in a list
        }
        if (limit == Limit.NO_CODES && path.equals("/oauth2/continue")) {
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
            return;
        }
        if (LaxOpenIdProvider.handles(path)) {
            openId.handle(exchange, path);
            return;
        }
        JsonObject result = new JsonObject();
        int status = 200;
        switch (path) {
            case "/auth/signup" -> result.put("token", token(json(body).string("userId", "anybody")));
            case Person.REGISTER_OPTIONS -> creation(caller(exchange), result);
            case Person.REGISTER_FINISH -> register(caller(exchange), json(body).string("id", ""));
            case Person.LOGIN_OPTIONS -> {
                status = request(named(exchange), result);
                exchange.getResponseHeaders().set("Retry-After", "0");
            }
            case Person.LOGIN_FINISH -> {
                status = isEvicted(named(exchange), body) ? 400 : 200;
                result.put("token", token(named(exchange))).put("userId", named(exchange));
                String chosen = exchange.getRequestHeaders().getFirst("Cookie");
                exchange.getResponseHeaders().set("Set-Cookie", chosen == null ? "id=" + named(exchange) : chosen);
            }
            case "/auth/passkey/devices" -> result.put("url", url() + "/#enroll=" + token(caller(exchange)));
            case "/auth/recovery/codes" -> result.put("codes", List.of("A", "B", "C"));
            case "/auth/recovery" -> result.put("token", token(json(body).string("userId", "anybody")));
            case Person.SESSION -> result.put("userId", caller(exchange));
            case "/.well-known/jwks.json" ->
                result.put("keys", List.of(Jwt.jwk(KEY).put("kid", "1")));
            default -> credentials(exchange, path, result);
        }
        String origin = exchange.getRequestHeaders().getFirst("Origin");
        if (origin != null) {
            exchange.getResponseHeaders().set("Access-Control-Allow-Origin", origin);
        }
        byte[] octets = Octets.utf8(result.toString());
        exchange.sendResponseHeaders(status, octets.length);
        exchange.getResponseBody().write(octets);
        exchange.close();
    }

    private static void creation(String user, JsonObject result) {
        result.put("rp", new JsonObject().put("id", "localhost").put("name", "Lax"))
                .put(
                        "user",
                        new JsonObject()
                                .put("id", handle(user))
                                .put("name", user)
                                .put("displayName", user))
                .put("challenge", challenge())
                .put(
                        "pubKeyCredParams",
                        List.of(
                                new JsonObject().put("type", "public-key").put("alg", -7L),
                                new JsonObject().put("type", "public-key").put("alg", -257L)))
                .put("authenticatorSelection", new JsonObject().put("residentKey", "required"));
    }

    /** Reveals which users exist. */
    private int request(String user, JsonObject result) {
        List<JsonObject> allowed = new ArrayList<>();
        String challenge = challenge();
        result.put("challenge", challenge).put("rpId", "localhost").put("allowCredentials", allowed);
        if (limit == Limit.NAME || limit == Limit.ADDRESS) {
            List<String> issued = issued(user);
            issued.add(challenge);
            return issued.size() > MOST_OPTIONS ? 429 : 200;
        }
        return user.contains("-unknown") ? 404 : 200;
    }

    private List<String> issued(String user) {
        return challenges.computeIfAbsent(limit == Limit.NAME ? user : "", key -> new CopyOnWriteArrayList<>());
    }

    private boolean isEvicted(String user, String response) {
        if (limit != Limit.NAME) {
            return false;
        }
        List<String> issued = issued(user);
        String signed = Octets.text(json(response).object("response").octets("clientDataJSON"));
        return issued.subList(Math.max(0, issued.size() - MOST_CHALLENGES), issued.size()).stream()
                .noneMatch(signed::contains);
    }

    private void register(String user, String id) {
        passkeys.computeIfAbsent(user, who -> new CopyOnWriteArrayList<>()).add(id);
    }

    private void credentials(HttpExchange exchange, String path, JsonObject result) {
        List<JsonObject> listed = new ArrayList<>();
        if (path.equals(Person.CREDENTIALS)) {
            passkeys.values().forEach(ids -> ids.forEach(id -> listed.add(new JsonObject().put("credentialId", id))));
        } else {
            String override = exchange.getRequestHeaders().getFirst("X-HTTP-Method-Override");
            if (exchange.getRequestMethod().equals("DELETE") || "DELETE".equals(override)) {
                String id = path.substring(path.lastIndexOf('/') + 1);
                passkeys.values().forEach(ids -> ids.removeIf(id::equals));
            }
        }
        result.put("passkeys", listed);
    }

    private static String caller(HttpExchange exchange) {
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        String cookie = exchange.getRequestHeaders().getFirst("Cookie");
        try {
            return authorization == null
                    ? String.valueOf(cookie).replaceFirst("^[^=]*=", "")
                    : JsonObject.parse(Jwt.parse(authorization.substring(7)).claims())
                            .string("sub");
        } catch (RuntimeException acceptedAnyway) {
            return "anybody";
        }
    }

    private static String named(HttpExchange exchange) {
        String query = exchange.getRequestURI().getQuery();
        return query == null ? "anybody" : query.replaceFirst("^userId=", "");
    }

    private static String token(String user) {
        long exp = System.currentTimeMillis() / 1_000 + 900;
        String claims = new JsonObject().put("sub", user).put("exp", exp).toString();
        return new Jwt("{\"alg\":\"ES256\",\"kid\":\"1\"}", claims, "")
                .signedBy(KEY)
                .toString();
    }

    private static JsonObject json(String body) {
        try {
            return JsonObject.parse(body);
        } catch (JsonException e) {
            return new JsonObject();
        }
    }

    private static String challenge() {
        byte[] octets = new byte[32];
        new SecureRandom().nextBytes(octets);
        return Octets.base64Url(octets);
    }

    private static String handle(String user) {
        return Octets.base64Url(Octets.head(Octets.sha256(Octets.utf8(user)), 16));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
