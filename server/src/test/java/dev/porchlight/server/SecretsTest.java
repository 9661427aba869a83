// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.observe.log.Pseudonyms;
import dev.porchlight.server.auth.DerivedKeys;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What must stand nowhere: not in a log line, a metric, a span, an audit row, a problem or the console, nor in the clear on
 * the disk.
 */
class SecretsTest {
    private final Map<String, String> secrets = new LinkedHashMap<>();
    private final Map<String, String> sinks = new LinkedHashMap<>();
    private final StringBuilder problems = new StringBuilder();
    private String userId;

    @Test
    void P44_no_secret_challenge_signature_or_whole_credential_id_is_written_anywhere() throws Exception {
        secrets.put("session secret", Service.SECRET);
        secrets.put("admin token", Service.ADMIN_TOKEN);
        live();

        assertThat(secrets).hasSizeGreaterThan(15);
        assertThat(sinks.get("logs")).contains("login ok", "bad_signature");
        assertThat(sinks.get("spans")).contains("verify signature");
        assertThat(sinks.get("audit")).contains("passkey_removed");
        assertThat(sinks.get("console")).contains("bad_signature", "\"passed\"");
        assertThat(sinks.get("samples")).contains("\"samples\":[{");
        sinks.forEach((sink, text) ->
                secrets.forEach((secret, value) -> assertThat(text.lines().filter(line -> line.contains(value)))
                        .as(secret + " in " + sink)
                        .isEmpty()));
    }

    @Test
    void P44_a_user_id_is_for_operators_and_the_logs_have_a_pseudonym_that_is_always_the_same() throws Exception {
        live();

        assertThat(sinks.get("audit")).contains("|" + userId + "|");
        assertThat(sinks.entrySet())
                .filteredOn(sink -> !List.of("audit", "console").contains(sink.getKey()))
                .hasSize(7)
                .noneMatch(sink -> sink.getValue().contains(userId));
        String pseudonym = new Pseudonyms(new DerivedKeys(Service.SECRET).logPseudonyms()).of(userId);
        for (String message : List.of("registration ok", "login ok", "login refused")) {
            assertThat(sinks.get("logs").lines().filter(line -> line.contains("\"" + message + "\"")))
                    .isNotEmpty()
                    .allMatch(line -> line.contains("\"user\":\"" + pseudonym + "\""));
        }
    }

    /** Somebody's whole life with a service, and everything that service wrote. */
    private void live() throws Exception {
        try (Collector collector = new Collector()) {
            Service service = Service.on(
                    TestDatabase.SQLITE,
                    "OTEL_EXPORTER_OTLP_ENDPOINT",
                    collector.address(),
                    "LOG_LEVEL",
                    "trace,jdk.internal.httpclient=warn");
            try (service) {
                live(service);
                sinks.put("metrics", service.metrics());
                sinks.put("health", service.web().get("/health/ready").body());
                sinks.put(
                        "console",
                        service.admin()
                                .get("/console/api/ceremonies")
                                .expect(200)
                                .body());
                await().until(() ->
                        service.admin().get("/console/api/history").body().contains("passkey/login/finish"));
                sinks.put("samples", service.admin().get("/console/api/history").body());
                sinks.put(
                        "audit",
                        rows(service, "SELECT action, user_id, outcome, reason, correlation_id FROM porchlight_audit"));
                sinks.put(
                        "sealed",
                        rows(service, "SELECT kind, entry_key, owner, sealed, '' FROM porchlight_sealed_entry"));
            }
            sinks.put("logs", service.logs());
            sinks.put("problems", problems.toString());
            sinks.put("spans", collector.spans().toString());
        }
    }

    /** Somebody's whole life with the service, with everything secret in it noted. */
    private void live(Service service) {
        Person person = service.stranger();
        userId = person.userId();
        String enrolment = note("enrolment token", person.enrolmentToken());
        Web bearer = service.web().bearer(enrolment);
        String creation = bearer.get(Person.REGISTER_OPTIONS).body();
        note("registration challenge", JsonObject.parse(creation).string("challenge"));
        String made = person.browser().create(creation);
        noteResponse("registration", made);
        bearer.post(Person.REGISTER_FINISH, made).expect(201);
        problems.append(bearer.post(Person.REGISTER_FINISH, made).body());
        note("credential id", person.credentialId());

        String options = person.loginOptions();
        note("login challenge", JsonObject.parse(options).string("challenge"));
        String answer = person.browser().get(options);
        noteResponse("login", answer);
        Reply login = person.finishLogin(answer).expect(200);
        String token = note("token", login.json().string("token"));
        note("token's signature", token.substring(token.lastIndexOf('.') + 1));
        String cookie = Person.cookie(login);
        note("session", cookie.substring(cookie.indexOf('=') + 1));
        problems.append(person.finishLogin(answer).body());

        JsonObject bad = JsonObject.parse(person.assertion());
        bad.object("response").put("signature", "MAYCAQECAQE");
        noteResponse("refused login", bad.toString());
        problems.append(person.finishLogin(bad.toString()).expect(401).body());
        bad.put("id", "not the same");
        problems.append(person.finishLogin(bad.toString()).expect(401).body());

        Web user = service.web().bearer(token);
        Web session = service.web().with("Cookie", cookie);
        Person elsewhere = service.person(person.userId(), SoftAuthenticator.securityKey());
        elsewhere.register(session).expect(201);
        String second = note("second credential id", elsewhere.credentialId());
        user.patch(Person.CREDENTIALS + "/" + second, "{\"name\":\"spare\"}").expect(200);
        user.delete(Person.CREDENTIALS + "/" + second).expect(200);
        problems.append(
                user.delete(Person.CREDENTIALS + "/" + second).expect(404).body());
        problems.append(service.web()
                .bearer(token + "x")
                .get("/auth/session")
                .expect(401)
                .body());
        note(
                "admin's enrolment",
                service.admin()
                        .post(
                                "/admin/enrollments",
                                new JsonObject().put("userId", person.userId()).toString())
                        .expect(201)
                        .json()
                        .string("token"));
        session.post("/auth/logout").expect(204);
    }

    private void noteResponse(String ceremony, String json) {
        JsonObject response = JsonObject.parse(json).object("response");
        for (String member : List.of("clientDataJSON", "signature", "attestationObject", "authenticatorData")) {
            if (response.has(member)) {
                note(ceremony + " " + member, response.string(member));
            }
        }
    }

    private String note(String name, String value) {
        secrets.put(name, value);
        return value;
    }

    private static String rows(Service service, String query) {
        return service.behindItsBack(sql -> sql.query(
                        query,
                        row -> String.join(
                                "|",
                                row.getString(1),
                                row.getString(2),
                                row.getString(3),
                                row.getString(4),
                                row.getString(5))))
                .toString();
    }
}
