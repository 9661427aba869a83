// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.files.FastDirectory;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The service on a data directory of an earlier release, one second after that release stopped. The directory's README
 * describes its content and origin.
 */
class UpgradeTest {
    private static final Path EARLIER =
            Path.of(System.getProperty("porchlight.root"), "server/src/test/resources/upgrade/0.1.0");

    private Path data;
    private JsonObject fixture;
    private Service service;

    @BeforeEach
    void start() throws IOException {
        data = FastDirectory.fresh();
        for (String file : List.of("porchlight.db", "session-secret")) {
            Files.copy(EARLIER.resolve("data").resolve(file), data.resolve(file));
        }
        fixture = JsonObject.parse(Files.readString(EARLIER.resolve("fixture.json")));
        MovableClock clock = MovableClock.startingAt(Instant.ofEpochMilli(number("madeAt") + 1_000));
        service = Service.at(clock, "", "DATA_DIR", data.toString(), "SESSION_SECRET", "", "RP_ORIGIN", text("origin"));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @ParameterizedTest
    @CsvSource({"adaSession, ada", "graceSession, grace"})
    void a_session_survives(String cookie, String userId) {
        TestResponse session = service.web().with("Cookie", text(cookie)).get("/auth/session");

        assertThat(session.expect(200).json().string("userId")).isEqualTo(userId);
    }

    @Test
    void every_session_of_a_user_is_listed() {
        TestResponse sessions = service.web().with("Cookie", text("adaSession")).get("/auth/sessions");

        assertThat(sessions.expect(200).json().objects("sessions")).hasSize(3);
    }

    @Test
    void a_session_can_be_ended() {
        Web ada = service.web().with("Cookie", text("adaSession"));

        ada.post("/auth/logout").expect(204);

        ada.get("/auth/session").expectProblem(401, "unauthenticated");
    }

    /** Such a token names no passkey, so it is not revocable and the user may have to sign in again. */
    @Test
    void a_token_of_the_earlier_release_is_not_a_server_error() {
        TestResponse session = service.web().bearer(text("adaToken")).get("/auth/session");

        assertThat(session.status()).isIn(200, 401);
    }

    @ParameterizedTest
    @CsvSource({"ada1, ada", "ada2, ada", "grace, grace"})
    void a_passkey_signs_in_and_its_sign_count_continues(String passkey, String userId) {
        Person copy = person(userId, passkey);

        person(userId, passkey).login().expect(200);

        // the copy has the sign count that the login has just used
        copy.login().expectProblem(401, "authentication_failed");
        copy.login().expect(200);
    }

    @Test
    void an_enrollment_token_still_registers_one_passkey() {
        Person linus = service.person("linus", SoftAuthenticator.securityKey());

        linus.register(text("enrollment")).expect(201);

        linus.login().expect(200);
        service.web().bearer(text("enrollment")).get(Person.REGISTER_OPTIONS).expectProblem(401, "unauthenticated");
    }

    @Test
    void a_renamed_passkey_keeps_its_name() {
        List<JsonObject> passkeys = service.web()
                .with("Cookie", text("adaSession"))
                .get(Person.CREDENTIALS)
                .expect(200)
                .json()
                .objects("credentials");

        assertThat(passkeys)
                .extracting(passkey -> passkey.string("credentialId"), passkey -> passkey.string("name", "none"))
                .containsExactly(tuple(id("ada1"), "blue key"), tuple(id("ada2"), "none"));
    }

    @Test
    void a_response_to_a_challenge_of_the_earlier_release_is_not_a_server_error() {
        Person grace = person("grace", "grace");
        String response = grace.browser().get(fixture.object("openOptions").toString());

        assertThat(grace.finishLogin(response).status()).isIn(200, 401);

        grace.login().expect(200);
    }

    @Test
    void the_audit_log_of_both_releases_has_no_fault() {
        person("grace", "grace").login().expect(200);
        service.close();

        CliRun verify = CliRun.of(Map.of("DATA_DIR", data.toString()), "audit", "verify");

        assertThat(verify.err()).isEmpty();
        assertThat(verify.status()).isZero();
        assertThat(verify.out()).contains(" rows, 0 faults\nhead ");
        assertThat(Integer.parseInt(verify.out().substring(0, verify.out().indexOf(' '))))
                .isGreaterThan(fixture.integer("auditRows"));
    }

    private Person person(String userId, String passkey) {
        String stored = fixture.object(passkey).toString();
        return new Person(
                service.web(),
                text("origin"),
                userId,
                SoftAuthenticator.securityKey().restore(stored));
    }

    private String id(String passkey) {
        return fixture.object(passkey).objects("passkeys").get(0).string("id");
    }

    private String text(String name) {
        return fixture.string(name);
    }

    private long number(String name) {
        return (Long) fixture.get(name);
    }
}
