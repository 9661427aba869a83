// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.operator.cli.CliRun;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The explain command, on responses captured on their way to a running service. */
class ExplainTest {
    private static final String ALGORITHMS = "ALGORITHMS";
    private static final String BOTH = "ES256,RS256";

    @TempDir
    Path directory;

    private Service service;
    private Person person;

    @BeforeEach
    void start() {
        service = Service.on(TestDatabase.SQLITE, ALGORITHMS, BOTH);
        person = service.newUser();
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void a_valid_login_passes_and_can_still_be_finished() throws IOException {
        person.enroll();
        String options = person.loginOptions();
        String response = person.browser().get(options);

        CliRun run = explain(response, "--options", file("options", options), "--user", person.userId());

        assertThat(run.status()).as(run.out() + run.err()).isZero();
        assertThat(run.out())
                .contains("  passed       challenge known", "  passed       signature", "  passed       sign count")
                .contains(
                        "  passed       user handle: the owner's handle\n",
                        "  passed       user unlocked: a user who is not locked\n")
                .contains("  not checked  challenge in time: ")
                .endsWith("No step refuses it.\n");
        person.finishLogin(response).expect(200);
    }

    @Test
    void a_valid_registration_passes_and_can_still_be_finished() throws IOException {
        Web bearer = service.web().bearer(person.enrollmentToken());
        String options = bearer.get(Person.REGISTER_OPTIONS).expect(200).body();
        String response = person.browser().create(options);

        CliRun run = explain(response, "--options", file("options", options), "--user", person.userId());

        assertThat(run.status()).as(run.out() + run.err()).isZero();
        assertThat(run.out())
                .contains(
                        "  passed       attestation statement: a valid statement\n", "  passed       credential limit");
        bearer.post(Person.REGISTER_FINISH, response).expect(201);
        assertThat(explain(response).out())
                .contains("  REFUSED      credential_exists: This passkey is registered already.")
                .contains("  not checked  credential limit: ")
                .endsWith("One step refuses it.\n");
    }

    @Test
    void steps_without_input_are_not_checked() throws IOException {
        CliRun run = explain(person.enroll().assertion());

        assertThat(run.status()).as(run.out()).isZero();
        assertThat(run.out())
                .contains("  not checked  challenge known: no options were given")
                .contains("  not checked  credential owner: ");
    }

    @Test
    void steps_after_a_wrong_setting_are_checked_too() throws IOException {
        String response = person.enroll().assertion();

        CliRun run = explain(Map.of("RP_ORIGIN", "http://localhost:8081"), response);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out())
                .contains("  REFUSED      origin_mismatch: The page's origin is not one that this service accepts")
                .contains(
                        "               expected: http://localhost:8081\n               found:    http://localhost; registered on")
                .contains("settings: RP_ORIGIN, RP_RELATED_ORIGINS")
                .contains("  passed       signature");
    }

    @Test
    void the_json_of_the_command_is_that_of_the_route() throws IOException {
        String response = person.enroll().assertion();
        String question = new JsonObject().put("response", response).toString();

        CliRun run = explain(response, "--json");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(JsonObject.parse(run.out()))
                .hasToString(service.admin()
                        .post("/console/api/explain", question)
                        .expect(200)
                        .json()
                        .toString());
        CliRun refused = explain(Map.of("RP_ORIGIN", "http://localhost:8081"), response, "--json");
        assertThat(refused.status()).isEqualTo(1);
        JsonObject explained = JsonObject.parse(refused.out());
        assertThat(explained.integer("refused")).isEqualTo(1);
        assertThat(explained.objects("steps"))
                .filteredOn(step -> step.string("state").equals("refused"))
                .singleElement()
                .satisfies(step -> assertThat(step.object("cause").string("what"))
                        .startsWith("The page's origin is not one that this service accepts"));
    }

    @Test
    void options_of_another_ceremony_are_reported() throws IOException {
        String response = person.enroll().assertion();

        CliRun run = explain(response, "--options", file("options", person.loginOptions()), "--user", "another user");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out())
                .contains("  REFUSED      challenge_not_found: ")
                .contains("  REFUSED      credential_owner_mismatch: The passkey belongs to another user")
                .endsWith("2 steps refuse it.\n");
    }

    @Test
    void an_accepted_response_fails_the_sign_count_step() throws IOException {
        String response = person.enroll().assertion();
        person.finishLogin(response).expect(200);

        assertThat(explain(response).out())
                .contains("  REFUSED      sign_count: ", "               expected: more than ");
    }

    @ParameterizedTest
    @CsvSource({
        "body-not-json, malformed_response",
        "type-of-the-other-ceremony, type_mismatch",
        "rp-id-hash-one-bit-off, rp_id_hash_mismatch",
        "user-handle-unknown, user_handle_mismatch",
        "passkey-never-registered, unknown_credential",
        "signature-one-bit-off, bad_signature"
    })
    void a_tampered_response_is_red_at_the_refused_step(String mutation, String code) throws IOException {
        String options = person.enroll().loginOptions();
        String tampered = person.browser().get(options, Mutations.named(CeremonyType.AUTHENTICATION, mutation));

        CliRun run = explain(tampered, "--options", file("options", options), "--user", person.userId());
        person.finishLogin(tampered).expect(mutation.equals("body-not-json") ? 400 : 401);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).containsOnlyOnce("REFUSED").contains("  REFUSED      " + code + ": ");
        assertThat(service.logs()).contains("\"reason\":\"" + code + '"');
    }

    @Test
    void responses_with_rsa_keys_are_explained() throws IOException {
        Person windows =
                service.newUser(SoftAuthenticator.builder().algorithms(-257).build());
        Web bearer = service.web().bearer(windows.enrollmentToken());
        String creation = bearer.get(Person.REGISTER_OPTIONS).expect(200).body();
        String created = windows.browser().create(creation);

        assertThat(explain(created).out())
                .contains("  REFUSED      alg_not_allowed: ", "expected: -7 (ES256)", "found:    -257");
        CliRun allowed = explain(Map.of(ALGORITHMS, BOTH), created, "--options", file("options", creation));
        assertThat(allowed.out()).contains("  passed       algorithm").endsWith("No step refuses it.\n");
        bearer.post(Person.REGISTER_FINISH, created).expect(201);

        assertThat(explain(windows.assertion()).out())
                .contains("  passed       signature")
                .endsWith("No step refuses it.\n");
        for (String mutation : List.of("signature-one-bit-off", "signature-cut-short", "signed-by-another-key")) {
            String tampered = windows.browser()
                    .get(windows.loginOptions(), Mutations.named(CeremonyType.AUTHENTICATION, mutation));
            assertThat(explain(tampered).out())
                    .containsOnlyOnce("REFUSED")
                    .contains("  REFUSED      bad_signature: ")
                    .endsWith("One step refuses it.\n");
            windows.finishLogin(tampered).expect(401);
        }
    }

    @Test
    void unreadable_options_are_an_error() throws IOException {
        CliRun run = explain(person.enroll().assertion(), "--options", file("options", "{}"));

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("options");
    }

    private CliRun explain(String response, String... more) throws IOException {
        return explain(Map.of(), response, more);
    }

    private CliRun explain(Map<String, String> settings, String response, String... more) throws IOException {
        Map<String, String> environment = new HashMap<>(Map.of(
                "DATABASE_URL",
                service.databaseUrl(),
                "DATA_DIR",
                directory.toString(),
                "SESSION_SECRET",
                Service.SECRET,
                "RP_ORIGIN",
                "http://localhost"));
        environment.putAll(settings);
        List<String> words = new ArrayList<>(List.of("explain", file("response", response)));
        words.addAll(List.of(more));
        return CliRun.of(environment, words.toArray(String[]::new));
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name + ".json"), text).toString();
    }
}
