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
import dev.porchlight.server.App;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.http.Access;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.server.Ports;
import dev.porchlight.testkit.server.RedisServer;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;

/** A service with a canary and traffic of all kinds, so that every metric has a value. */
final class Traffic implements AutoCloseable {
    private static final int BUDGET = 60;
    private static final String ADMIN_TOKEN = "an admin token for tests";

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
    void round() {
        Web web = new Web(app.port()).with("X-Forwarded-For", "192.0.2." + (1 + users++ % 200));
        String user = UUID.randomUUID().toString();
        Person person = new Person(web, "http://localhost:" + app.port(), user, SoftAuthenticator.securityKey());
        SoftBrowser browser = person.browser();
        Web enrolling = web.bearer(person.enrollmentToken());
        String creation = enrolling.get(Person.REGISTER_OPTIONS).expect(200).body();
        Mutation unknown = Mutations.named(CeremonyType.REGISTRATION, "challenge-never-issued");
        enrolling
                .post(Person.REGISTER_FINISH, browser.create(creation, unknown))
                .expect(400);
        person.register(enrolling).expect(201);
        person.login().expect(200);
        Map.of("sign-count-unchanged", 200, "signature-one-bit-off", 401).forEach((name, status) -> {
            Mutation mutation = Mutations.named(CeremonyType.AUTHENTICATION, name);
            person.finishLogin(browser.get(person.loginOptions(), mutation)).expect(status);
        });
        for (String outcome : new String[] {"ok", "dismissed", "config"}) {
            String report = new JsonObject()
                    .put("ceremony", "login")
                    .put("outcome", outcome)
                    .put("challenge", person.options().expect(200).field("challenge"))
                    .put("userId", user)
                    .toString();
            web.post("/auth/passkey/report", report).expect(204);
        }
        web.get("/broken").expect(500);
        exceedRateLimit(person.at(web.with("X-Forwarded-For", "198.51.100.1")));
    }

    private void exceedRateLimit(Person person) {
        int status = 0;
        for (int i = 0; i <= 8 * BUDGET && status != 429; i++) {
            status = person.options().status();
        }
        assertThat(status).isEqualTo(429);
        // A request is counted after its response.
        Awaitility.await().untilAsserted(() -> assertThat(metrics()).contains("status=\"429\""));
    }

    /** Returns the metrics of the service and the canary. */
    String metrics() {
        return new Web(app.port()).get("/metrics").expect(200).body()
                + new Web(canaryPort).get("/metrics").expect(200).body();
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
