// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.canary.Canary;
import dev.porchlight.canary.CanarySettings;
import dev.porchlight.e2e.Collector;
import dev.porchlight.e2e.Requirements;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.ObservabilitySettings;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.rig.process.Ports;
import dev.porchlight.server.App;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.http.Access;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.redis.RedisServer;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;

/** A service with a canary and traffic of all kinds, so that every metric has a value. */
final class Traffic implements AutoCloseable {
    private static final int BUDGET = 60;
    private static final String ADMIN_TOKEN = "an admin token for tests";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Collector collector = new Collector();
    private final RedisServer redis = RedisServer.start();
    private final App app;
    private final Observability canaryObserve = Observability.open(
            ObservabilitySettings.fromEnvironment("porchlight-canary", Map.of()),
            LogWriter.to(OutputStream.nullOutputStream()));
    private final Canary canary;
    private final int canaryPort;
    private int users;

    /** Starts the service with one broken route. The test is skipped if Redis is not installed. */
    static Traffic start(Path directory) throws Exception {
        Requirements.program("redis-server");
        Traffic traffic = new Traffic(directory);
        Awaitility.await()
                .untilAsserted(() -> assertThat(traffic.metrics())
                        .containsPattern("passkey_canary_rounds_total\\{outcome=\"ok\"} [1-9]"));
        return traffic;
    }

    private Traffic(Path directory) throws Exception {
        app = App.start(
                Config.read(Map.of(
                        "PORT", Integer.toString(Ports.free()),
                        "DATA_DIR", directory.resolve("data").toString(),
                        "RATE_LIMIT_PER_MINUTE", Integer.toString(BUDGET),
                        "TRUSTED_PROXIES", "127.0.0.1",
                        "SIGN_COUNT_POLICY", "flag",
                        "ADMIN_TOKEN", ADMIN_TOKEN,
                        "REDIS_URL", redis.url(),
                        "OTEL_EXPORTER_OTLP_ENDPOINT", collector.url(),
                        "REQUEST_TIMEOUT_MS", Patience.REQUEST_TIMEOUT_MS)),
                LogWriter.to(OutputStream.nullOutputStream()),
                false,
                routes -> routes.get("/broken", Access.PUBLIC, exchange -> {
                    throw new IllegalStateException("a bug");
                }));
        var settings = CanarySettings.parse(
                List.of(app.url(), "--every", "20", "--port", "0"), Map.of("ADMIN_TOKEN", ADMIN_TOKEN));
        canary = new Canary(settings, canaryObserve);
        canaryPort = canary.start();
    }

    /** Returns the ports to scrape: the service and the canary. */
    int[] ports() {
        return new int[] {app.port(), canaryPort};
    }

    /** Runs one ceremony of each kind. */
    void round() throws Exception {
        String address = "192.0.2." + (1 + users++ % 200);
        String user = UUID.randomUUID().toString();
        String origin = "http://localhost:" + app.port();
        SoftBrowser browser =
                new SoftBrowser(origin, SoftAuthenticator.builder().build());
        String signup = new JsonObject().put("userId", user).toString();
        String token = JsonObject.parse(expect(201, send(address, "", "/auth/signup", signup)))
                .string("token");
        String register = "/auth/passkey/register/";
        expect(
                400,
                send(
                        address,
                        token,
                        register + "finish",
                        browser.create(
                                expect(200, send(address, token, register + "options", null)),
                                Mutations.named(CeremonyType.REGISTRATION, "challenge-never-issued"))));
        expect(
                201,
                send(
                        address,
                        token,
                        register + "finish",
                        browser.create(expect(200, send(address, token, register + "options", null)))));
        String options = "/auth/passkey/login/options?userId=" + user;
        String finish = "/auth/passkey/login/finish?userId=" + user;
        expect(200, send(address, "", finish, browser.get(expect(200, send(address, "", options, null)))));
        for (var mutation : Map.of("sign-count-unchanged", 200, "signature-one-bit-off", 401)
                .entrySet()) {
            String requestOptions = expect(200, send(address, "", options, null));
            expect(
                    mutation.getValue(),
                    send(
                            address,
                            "",
                            finish,
                            browser.get(
                                    requestOptions, Mutations.named(CeremonyType.AUTHENTICATION, mutation.getKey()))));
        }
        for (String outcome : new String[] {"ok", "dismissed", "config"}) {
            String report = new JsonObject()
                    .put("ceremony", "login")
                    .put("outcome", outcome)
                    .put(
                            "challenge",
                            JsonObject.parse(expect(200, send(address, "", options, null)))
                                    .string("challenge"))
                    .put("userId", user)
                    .toString();
            expect(204, send(address, "", "/auth/passkey/report", report));
        }
        expect(500, send(address, "", "/broken", null));
        exceedRateLimit(options);
    }

    private void exceedRateLimit(String path) throws Exception {
        int status = 0;
        for (int i = 0; i <= 8 * BUDGET && status != 429; i++) {
            status = send("198.51.100.1", "", path, null).statusCode();
        }
        assertThat(status).isEqualTo(429);
        // A request is counted after its response.
        Awaitility.await().untilAsserted(() -> assertThat(metrics()).contains("status=\"429\""));
    }

    /** Returns the metrics of the service and the canary. */
    String metrics() throws Exception {
        var canaryRequest = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + canaryPort + "/metrics"))
                .build();
        return expect(200, send("192.0.2.1", "", "/metrics", null))
                + expect(200, HTTP.send(canaryRequest, HttpResponse.BodyHandlers.ofString()));
    }

    private static String expect(int status, HttpResponse<String> response) {
        assertThat(response.statusCode())
                .as(response.request() + " " + response.body())
                .isEqualTo(status);
        return response.body();
    }

    private HttpResponse<String> send(String address, String token, String path, String body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + app.port() + path))
                .header("X-Forwarded-For", address)
                .header("Content-Type", "application/json");
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        if (body != null) {
            request.POST(HttpRequest.BodyPublishers.ofString(body));
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() throws IOException {
        canary.close();
        canaryObserve.close();
        app.close();
        redis.close();
        collector.close();
    }
}
