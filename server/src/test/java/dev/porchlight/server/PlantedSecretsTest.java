// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.server.auth.DerivedKeys;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.server.RedisServer;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plants secrets in every input of users, anonymous clients and operators, and searches for them, and for the service's own secrets, in
 * every output: all log levels, metrics, spans, audit rows, stored entries, responses other than those that
 * return the secret, health, console, exception messages, thread names, the command line.
 */
class PlantedSecretsTest {
    private static final String LOUD = "trace,jdk.internal.httpclient=warn";
    private static final String CONTROL = "control-" + "fed-to-every-sink";

    /** Typed as a user name, so operators see it like any other. */
    private static final String INVALID_NAME = "name-" + "that-cannot-be-used";

    private static final Planted PLANTED = new Planted();
    private static String userId;

    @BeforeAll
    static void start(@TempDir Path files) throws Exception {
        live(files);
    }

    @Test
    void T44_planted_secrets_appear_only_where_they_are_returned() {
        assertThat(PLANTED.names()).hasSizeGreaterThanOrEqualTo(60);
        assertThat(PLANTED.values()).hasSameSizeAs(PLANTED.names()).allMatch(value -> value.length() >= 16);
        assertThat(PLANTED.leaks()).isEmpty();
        // the search must be able to find something: this word was put into every sink
        assertThat(PLANTED.holding(CONTROL))
                .contains("logs", "metrics", "openmetrics", "spans", "audit", "console", "health", "threads", "faults")
                .anyMatch(sink -> sink.startsWith("response "))
                .contains("command line");
        // the events are there, without the secrets
        assertThat(PLANTED.holding("bad_signature")).contains("logs", "metrics", "spans", "audit", "console");
        assertThat(PLANTED.holding("storage_unavailable")).isNotEmpty();
    }

    @Test
    void T44_logs_contain_a_stable_pseudonym_instead_of_the_user_id() {
        for (String name : List.of(userId, INVALID_NAME)) {
            assertThat(PLANTED.holding(name)).contains("console").doesNotContain("audit", "logs", "metrics", "spans");
        }
        String pseudonym = new Pseudonyms(new DerivedKeys(Service.SECRET).forPurpose("log pseudonyms")).of(userId);
        assertThat(PLANTED.holding(pseudonym)).contains("logs");
        for (String message : List.of("registration ok", "login ok", "login refused")) {
            assertThat(PLANTED.lines("logs").filter(line -> line.contains("\"" + message + "\"")))
                    .isNotEmpty()
                    .anyMatch(line -> line.contains("\"user\":\"" + pseudonym + "\""));
        }
    }

    /** The passwords of running servers, then of stopped servers, then wrong passwords. */
    @Test
    void T44_database_passwords_appear_nowhere(@TempDir Path files) throws Exception {
        Planted passwords = new Planted();
        String url = TestDatabase.POSTGRES.freshUrl();
        String address = url.replaceFirst("jdbc:postgresql://", "").replaceFirst("\\?.*", "");
        String user = url.replaceFirst(".*user=", "");
        String password = passwords.plant("password of the database");
        String redisPassword = passwords.plant("password of redis");
        try (RedisServer redis = TestRedis.startWithPassword(redisPassword)) {
            Service service = Service.at(
                    "postgres://" + user + ":" + password + "@" + address, "REDIS_URL", redis.url(), "LOG_LEVEL", LOUD);
            try (service) {
                service.newUser().enroll().login().expect(200);
                passwords.sink("health", service.web().get("/health/ready").body());
                redis.kill();
                passwords.sink(
                        "response", service.web().get(Person.LOGIN_OPTIONS).body());
                passwords.sink("health", service.web().get("/health/ready").body());
                passwords.sink("metrics", service.metrics());
                passwords.sink("threads", threads());
            }
            passwords.sink("logs", service.logs());
        }
        Map<String, String> gone = Map.of(
                "DATABASE_URL",
                "jdbc:postgresql://127.0.0.1:1/x?user=u&password=" + password,
                "REDIS_URL",
                "redis://u:" + redisPassword + "@127.0.0.1:1",
                "SMTP_URL",
                "smtp://u:" + redisPassword + "@127.0.0.1:1",
                "MAIL_FROM",
                "porchlight@b.example",
                "SESSION_SECRET",
                Service.SECRET,
                "DATA_DIR",
                files.toString());
        for (String command : List.of("config", "doctor")) {
            CliRun run = CliRun.of(gone, command);
            passwords.sink(command, run.out() + run.err());
        }
        assertThatThrownBy(() -> Service.impatient(gone.get("DATABASE_URL")).close())
                .satisfies(e -> passwords.sink("exception", everything(e)));

        assertThat(passwords.leaks()).isEmpty();
        assertThat(passwords.holding("127.0.0.1")).contains("exception", "doctor", "health");
    }

    /** Runs a user's whole life cycle and some attacks, and records every output of the service. */
    private static void live(Path files) throws Exception {
        PLANTED.note("session secret", Service.SECRET);
        PLANTED.note("admin token", Service.ADMIN_TOKEN);
        try (Collector collector = new Collector()) {
            Service service = Service.on(
                    TestDatabase.SQLITE,
                    "OTEL_EXPORTER_OTLP_ENDPOINT",
                    collector.address(),
                    "OTEL_EXPORTER_OTLP_HEADERS",
                    "authorization=Bearer " + PLANTED.plant("collector's key"),
                    "OTEL_METRICS_EXPORTER",
                    "otlp",
                    "OTEL_LOGS_EXPORTER",
                    "otlp",
                    "LOG_LEVEL",
                    LOUD);
            try (service) {
                Web web = service.web()
                        .withListener((request, response) -> PLANTED.sink(
                                "response " + request,
                                response.status() + " " + response.headers().map() + " " + response.body()));
                use(web);
                abuseHeaders(web);
                abuseBodies(service, web);
                abuseConnections(service);
                feedControls(service, web);
                collect(service);
                commandLine(service, files);
                breakStorage(service, web);
            }
            PLANTED.sink("logs", service.logs());
            PLANTED.sink("spans", collector.spans().toString());
            assertThat(collector.logs()).hasSizeGreaterThan(100);
            PLANTED.sink("exported logs", collector.logs().toString());
            assertThat(collector.metrics()).isNotEmpty();
            PLANTED.sink("exported metrics", collector.metrics().toString());
        }
        faults();
    }

    private static void use(Web web) {
        Person person = new Person(web, "http://localhost", "user at planted.example", SoftAuthenticator.securityKey());
        userId = person.userId();
        String enrollment = note("enrollment token", person.enrollmentToken(), "POST /auth/signup");
        Web bearer = web.bearer(enrollment);
        String creation = bearer.get(Person.REGISTER_OPTIONS).expect(200).body();
        note(
                "registration challenge",
                JsonObject.parse(creation).string("challenge"),
                "GET " + Person.REGISTER_OPTIONS);
        note("user handle", JsonObject.parse(creation).object("user").string("id"), toItsOwner());
        String made = person.browser().create(creation);
        noteResponse("registration", made);
        bearer.post(Person.REGISTER_FINISH, made).expect(201);
        bearer.post(Person.REGISTER_FINISH, made).expect(409);
        note("credential id", person.credentialId(), toItsOwner());

        String options = person.loginOptions();
        note("login challenge", JsonObject.parse(options).string("challenge"), "GET " + Person.LOGIN_OPTIONS);
        String assertion = person.browser().get(options);
        noteResponse("login", assertion);
        TestResponse login = person.finishLogin(assertion).expect(200);
        String token = note("token", login.json().string("token"), "POST " + Person.LOGIN_FINISH);
        note("token's signature", token.substring(token.lastIndexOf('.') + 1), "POST " + Person.LOGIN_FINISH);
        String cookie = Person.cookie(login);
        note("session", cookie.substring(cookie.indexOf('=') + 1), "POST " + Person.LOGIN_FINISH);
        person.finishLogin(assertion).expect(401);
        note(
                "nameless challenge",
                web.get(Person.LOGIN_OPTIONS).expect(200).json().string("challenge"),
                "GET " + Person.LOGIN_OPTIONS);

        Web user = web.bearer(token);
        Web session = web.with("Cookie", cookie);
        Person elsewhere = new Person(web, "http://localhost", userId, SoftAuthenticator.securityKey());
        elsewhere.register(session).expect(201);
        String second = note("second credential id", elsewhere.credentialId(), toItsOwner());
        String name = PLANTED.note(
                "name of a passkey",
                "planted name of a passkey",
                "response PATCH",
                "response GET " + Person.CREDENTIALS);
        user.patch(
                        Person.CREDENTIALS + "/" + second,
                        new JsonObject().put("name", name).toString())
                .expect(200);
        user.get(Person.CREDENTIALS).expect(200);
        user.get("/auth/sessions").expect(200);
        user.delete(Person.CREDENTIALS + "/" + second).expect(200);
        user.delete(Person.CREDENTIALS + "/" + second).expect(404);
        String link = web.bearer(Service.ADMIN_TOKEN)
                .post(
                        "/admin/enrollments",
                        new JsonObject().put("userId", userId).toString())
                .expect(201)
                .json()
                .string("token");
        note("enrollment link", link, "POST /admin/enrollments");
        String device = session.post("/auth/passkey/devices").expect(201).json().string("url");
        note("link for a device", device.replaceFirst(".*#enroll=", ""), "POST /auth/passkey/devices");
        String codes = session.post("/auth/recovery/codes")
                .expect(201)
                .json()
                .get("codes")
                .toString();
        String code = note("recovery code", codes.substring(1, 30), "POST /auth/recovery/codes");
        String recovery =
                new JsonObject().put("userId", userId).put("code", code).toString();
        note(
                "token of a recovery code",
                web.post("/auth/recovery", recovery).expect(201).json().string("token"),
                "POST /auth/recovery");
        web.post("/auth/recovery", recovery).expect(401);
        session.post("/auth/logout").expect(204);
        session.get("/auth/session").expect(401);
    }

    /** Anonymous headers, addresses and queries, including secrets sent to the wrong place. */
    private static void abuseHeaders(Web web) {
        web.bearer(PLANTED.plant("guess at the admin token"))
                .get("/admin/request")
                .expect(401);
        web.bearer(PLANTED.plant("wrong bearer")).get("/auth/session").expect(401);
        web.bearer("enroll_" + PLANTED.plant("wrong enrollment"))
                .get(Person.REGISTER_OPTIONS)
                .expect(401);
        String basic = "user:" + PLANTED.plant("password by basic");
        web.with("Authorization", "Basic " + Base64.getEncoder().encodeToString(basic.getBytes(StandardCharsets.UTF_8)))
                .get("/auth/session")
                .expect(401);
        web.with("Authorization", PLANTED.plant("authorization without a scheme"))
                .get("/auth/session")
                .expect(401);
        web.with("Authorization", "Digest response=" + PLANTED.plant("digest"))
                .get("/console/api/ceremonies")
                .expect(401);
        web.with("Cookie", "porchlight=" + PLANTED.plant("wrong session"))
                .get("/auth/session")
                .expect(401);
        web.with("Cookie", "PHPSESSID=" + PLANTED.plant("cookie of another service"))
                .get("/")
                .expect(200);
        web.with("Cookie", "a=b; __Host-porchlight=" + PLANTED.plant("cookie under the other name"))
                .get("/auth/sessions")
                .expect(401);
        for (String header : List.of(
                "Proxy-Authorization",
                "X-Api-Key",
                "X-Auth-Token",
                "Referer",
                "X-Forwarded-For",
                "Forwarded",
                "X-Forwarded-Host",
                "If-None-Match",
                "Accept-Language",
                "baggage",
                "traceparent",
                "X-Amzn-Trace-Id",
                "Origin")) {
            web.with(header, PLANTED.plant("header " + header.toLowerCase(Locale.ROOT)))
                    .get(Person.LOGIN_OPTIONS);
        }
        web.with("X-Correlation-ID", "no id " + PLANTED.plant("invalid correlation id"))
                .get("/nothing")
                .expect(404);
        web.get("/auth/session?access_token=" + PLANTED.plant("token in a query"))
                .expect(401);
        web.get("/?code=" + PLANTED.plant("code in the query of a page")).expect(200);
        web.get(Person.LOGIN_OPTIONS + "?userId=a&userId=" + PLANTED.plant("ambiguous query"))
                .expect(400);
        web.get("/enroll/" + PLANTED.plant("malformed link")).expect(404);
        web.get("/auth/passkey/credentials/" + PLANTED.plant("path of another method"))
                .expect(405);
        web.get("/assets/" + PLANTED.plant("missing file")).expect(404);
        // spans contain an unknown method, as the HTTP convention requires (http.request.method_original)
        String method = PLANTED.note("method", "planted-method-0123456789abcdef", "spans");
        web.send(method, "/", null);
    }

    /** Malformed bodies and false values. */
    private static void abuseBodies(Service service, Web web) {
        String finish = Person.LOGIN_FINISH + Web.user(userId);
        web.post(finish, "{\"password\":\"" + PLANTED.plant("truncated body")).expect(400);
        web.post(finish, "{\"id\":\"" + PLANTED.plant("malformed member") + " \"}")
                .expect(401);
        web.post(Person.LOGIN_FINISH, PLANTED.plant("body that is not json")).expect(400);
        web.post("/auth/signup", "{\"userId\":7,\"x\":\"" + PLANTED.plant("body of a sign up") + "\"}")
                .expect(400);
        web.post("/auth/signup", "{\"userId\":\"\\u0000" + INVALID_NAME + "\"}").expect(400);
        web.post("/auth/passkey/report", "{\"outcome\":\"" + PLANTED.plant("invalid outcome") + "\"}")
                .expect(400);
        web.post(
                "/auth/passkey/report",
                "{\"outcome\":\"canceled\",\"ceremony\":\"login\",\"error\":\"" + PLANTED.plant("invalid error")
                        + "\"}");
        web.with("Content-Type", "text/plain")
                .send("POST", "/auth/signup", PLANTED.plant("body of another type"))
                .expect(415);
        web.post("/auth/signup", PLANTED.plant("oversized body").repeat(2_000)).expect(413);

        Person person = service.newUser().enroll();
        JsonObject bad = JsonObject.parse(person.assertion());
        String login = Person.LOGIN_FINISH + Web.user(person.userId());
        bad.object("response")
                .put("signature", "MAYCAQECAQE")
                .put("userHandle", encoded(PLANTED.plant("unknown user handle")));
        noteResponse("refused login", JsonObject.parse(bad.toString()));
        web.post(login, bad.toString()).expect(401);
        JsonObject forged = JsonObject.parse(person.assertion());
        forged.object("response").put("signature", "MAYCAQECAQE");
        web.post(login, forged.toString()).expect(401);
        JsonObject strange = JsonObject.parse(person.assertion());
        String id = encoded(PLANTED.plant("unknown credential id"));
        strange.put("id", id)
                .put("rawId", id)
                .put("clientExtensionResults", new JsonObject().put("x", PLANTED.plant("extension")));
        web.post(login, strange.toString()).expect(401);
        JsonObject clientData = new JsonObject()
                .put("type", "webauthn.get")
                .put("challenge", encoded(PLANTED.plant("unknown challenge")))
                .put("origin", "http://localhost")
                .put("secret", PLANTED.plant("member of client data"));
        JsonObject unknown = JsonObject.parse(person.assertion());
        unknown.object("response").put("clientDataJSON", encoded(clientData.toString()));
        web.post(login, unknown.toString()).expect(401);
    }

    /** Bytes that are not an HTTP request. */
    private static void abuseConnections(Service service) throws IOException {
        for (String octets : List.of(
                "GET /?" + PLANTED.plant("invalid request line") + "\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: localhost\r\n" + PLANTED.plant("header without a colon") + "\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: " + PLANTED.plant("invalid host") + " x\r\nConnection: close\r\n\r\n",
                "POST /auth/signup HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + PLANTED.plant("invalid chunk") + "\r\n\r\n")) {
            try (Socket socket = new Socket(
                    InetAddress.getLoopbackAddress(), service.web().uri("").getPort())) {
                socket.setSoTimeout(Patience.MILLIS);
                socket.getOutputStream().write(octets.getBytes(StandardCharsets.US_ASCII));
                PLANTED.sink(
                        "response to an invalid request",
                        new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            }
        }
    }

    /** Puts a word into every sink through legitimate paths. */
    private static void feedControls(Service service, Web web) {
        Web fed = web.with("X-Correlation-ID", CONTROL).with("User-Agent", CONTROL);
        Person person = new Person(fed, "http://localhost", CONTROL, SoftAuthenticator.securityKey()).enroll();
        person.login().expect(200);
        JsonObject bad = JsonObject.parse(person.assertion());
        bad.object("response").put("signature", "MAYCAQECAQE");
        person.finishLogin(bad.toString()).expect(401);
        service.observability()
                .metrics()
                .counter("control_total")
                .help("Fed by the test.")
                .labels("word")
                .register()
                .with(CONTROL)
                .inc();
        service.observability().health().register(CONTROL, CheckResult::up);
    }

    private static void collect(Service service) {
        PLANTED.sink("metrics", service.metrics());
        PLANTED.sink(
                "openmetrics",
                service.web()
                        .with("Accept", "application/openmetrics-text")
                        .get("/metrics")
                        .expect(200)
                        .body());
        PLANTED.sink(
                "health",
                service.web().get("/health/ready").body()
                        + service.web().get("/health/live").body());
        PLANTED.sink(
                "console",
                service.admin().get("/console/api/ceremonies").expect(200).body());
        await().until(() -> service.admin().get("/console/api/history").body().contains("passkey/login/finish"));
        PLANTED.sink("samples", service.admin().get("/console/api/history").body());
        PLANTED.sink("audit", rows(service, "porchlight_audit"));
        PLANTED.sink("sealed entries", rows(service, "porchlight_sealed_entry"));
        PLANTED.sink("signing keys", rows(service, "porchlight_signing_key"));
        Thread named =
                new Thread(() -> await().until(() -> Thread.currentThread().isInterrupted()), CONTROL);
        named.start();
        PLANTED.sink("threads", threads());
        named.interrupt();
    }

    private static void commandLine(Service service, Path files) throws IOException {
        Map<String, String> environment = Map.of(
                "DATABASE_URL",
                service.databaseUrl(),
                "DATA_DIR",
                files.toString(),
                "RP_ORIGIN",
                "http://localhost",
                "RP_NAME",
                CONTROL,
                "SESSION_SECRET",
                Service.SECRET,
                "ADMIN_TOKEN",
                Service.ADMIN_TOKEN,
                "OTEL_EXPORTER_OTLP_HEADERS",
                "authorization=" + PLANTED.plant("collector's key of the command line"));
        Person person = service.newUser().enroll();
        String options = person.loginOptions();
        String response = person.browser().get(options);
        PLANTED.note(
                "explained signature",
                JsonObject.parse(response).object("response").string("signature"));
        Path captured = Files.writeString(files.resolve("response"), response);
        for (List<String> words : List.of(
                List.of("config"),
                List.of("audit", "verify"),
                List.of("keys", "list"),
                List.of("explain", captured.toString()))) {
            CliRun run = CliRun.of(environment, words.toArray(String[]::new));
            PLANTED.sink("command line", run.out() + run.err());
        }
    }

    /** Logged storage failures do not contain the values of the statement. */
    private static void breakStorage(Service service, Web web) {
        Person person = service.newUser().enroll();
        String token = person.login().expect(200).json().string("token");
        String assertion = person.assertion();
        service.withSql(sql -> sql.update("DROP TABLE passkey_credential"));
        noteResponse("login without tables", JsonObject.parse(assertion));
        web.post(Person.LOGIN_FINISH + Web.user(person.userId()), assertion).expect(503);
        String name = PLANTED.plant("name without tables");
        web.bearer(token)
                .patch(
                        Person.CREDENTIALS + "/" + encoded(PLANTED.plant("id without tables")),
                        new JsonObject().put("name", name).toString())
                .expect(503);
    }

    /** Errors about an invalid configuration do not contain its secrets. */
    private static void faults() {
        Map<String, String> wrong = Map.of(
                "RP_ID",
                "example.com",
                "RP_ORIGIN",
                CONTROL,
                "SESSION_SECRET",
                PLANTED.plant("secret"), // one byte too short
                "ADMIN_TOKEN",
                "\u00e9 " + PLANTED.plant("admin token that no header can carry"),
                "DATABASE_URL",
                "postgres://u:" + PLANTED.plant("password in a wrong address") + "@:x/",
                "REDIS_URL",
                "redis://u:" + PLANTED.plant("password in a wrong redis address") + "@host:x");
        assertThatThrownBy(() -> Config.read(wrong))
                .isInstanceOf(InvalidConfigException.class)
                .satisfies(e -> PLANTED.sink("faults", everything(e)));
    }

    private static String everything(Throwable failure) {
        var text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static String threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).collect(Collectors.joining("\n"));
    }

    private static String rows(Service service, String table) {
        return service.withSql(sql -> sql.query("SELECT * FROM " + table, row -> {
                    var text = new StringBuilder();
                    for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                        text.append(row.getString(i)).append('|');
                    }
                    return text.toString();
                }))
                .toString();
    }

    private static String[] toItsOwner() {
        return new String[] {
            "response POST " + Person.REGISTER_FINISH,
            "response GET " + Person.CREDENTIALS,
            "response PATCH " + Person.CREDENTIALS,
            "response DELETE " + Person.CREDENTIALS,
            "response GET " + Person.LOGIN_OPTIONS,
            "response GET " + Person.REGISTER_OPTIONS
        };
    }

    private static String note(String name, String value, String carrier) {
        return PLANTED.note(name, value, "response " + carrier);
    }

    private static String note(String name, String value, String[] carriers) {
        return PLANTED.note(name, value, carriers);
    }

    private static void noteResponse(String ceremony, String json) {
        noteResponse(ceremony, JsonObject.parse(json));
    }

    private static void noteResponse(String ceremony, JsonObject credential) {
        JsonObject response = credential.object("response");
        for (String member : List.of("clientDataJSON", "signature", "attestationObject", "authenticatorData")) {
            // some are short, and authenticators without a sign count send the same data each time
            if (response.has(member)
                    && response.string(member).length() >= 16
                    && !PLANTED.values().contains(response.string(member))) {
                PLANTED.note(ceremony + " " + member, response.string(member));
            }
        }
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
