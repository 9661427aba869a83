// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The option {@code --json}. */
class JsonOutputTest {
    /** Commands that list and show nothing: they start the service, change something, or write a file. */
    private static final Set<String> OTHERS = Set.of(
            "serve",
            "passkeys remove",
            "webhooks test",
            "webhooks remove",
            "users lock",
            "users set",
            "users unlock",
            "users sign-out",
            "users remove-codes",
            "users delete",
            "clients remove",
            "groups add",
            "groups remove",
            "groups set",
            "groups delete",
            "operators add",
            "operators remove",
            "tokens revoke",
            "audit accept",
            "audit export",
            "audit follow",
            "backup",
            "restore",
            "export",
            "import");

    @TempDir
    Path directory;

    @Test
    void every_command_that_lists_or_shows_has_it() {
        assertThat(CommandHelpTest.commands()
                        .filter(command ->
                                CommandHelpTest.find(command).getCommandSpec().findOption("--json") == null)
                        .filter(command ->
                                CommandHelpTest.find(command).getSubcommands().isEmpty())
                        .collect(Collectors.toSet()))
                .isEqualTo(OTHERS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "users list",
                "users show ada",
                "passkeys list ada",
                "passkeys policy --check",
                "clients list",
                "clients show app",
                "clients change app --name App",
                "clients rotate-secret app",
                "groups list",
                "groups list staff",
                "webhooks list",
                "webhooks add https://hooks.example/",
                "operators list",
                "tokens add backend --role support",
                "tokens list",
                "keys rotate",
                "keys list",
                "audit list",
                "audit verify",
                "enroll ada",
                "pseudonym ada",
                "config",
                "doctor",
                "capacity --users 1K",
                "explain RESPONSE",
                "version"
            })
    void the_output_is_one_json_object(String command) throws IOException {
        run("enroll ada");
        run("groups add staff ada");
        run("clients add app --redirect-uri https://app.example/");

        Path response = Files.writeString(directory.resolve("response.json"), "{}");

        CliRun run = run(command.replace("RESPONSE", response.toString()) + " --json");

        assertThat(run.out().lines()).as(run.err()).hasSize(1);
        assertThat(JsonObject.parse(run.out()).names()).isNotEmpty();
    }

    @Test
    void members_have_the_names_of_the_http_api() {
        run("enroll ada");
        run("groups add staff ada");

        JsonObject ada = JsonObject.parse(run("users show ada --json").out());
        assertThat(ada.string("userId")).isEqualTo("ada");
        assertThat(ada.get("groups")).isEqualTo(java.util.List.of("staff"));
        assertThat(ada.names())
                .contains("locked", "passkeyCount", "enrollmentPending", "passkeys", "sessions", "events");
        JsonObject client = JsonObject.parse(run("clients add app --redirect-uri https://app.example/ --json")
                .out());
        assertThat(client.names()).contains("clientId", "clientSecret", "redirectUris", "createdAt");
    }

    @Test
    void a_setting_without_a_value_has_no_value() {
        assertThat(JsonObject.parse(run("config --json").out()).objects("settings"))
                .filteredOn(setting -> setting.string("name").equals("ADMIN_TOKEN"))
                .singleElement()
                .satisfies(setting -> assertThat(setting.has("value")).isFalse());
    }

    @ParameterizedTest
    @CsvSource({
        "1, users show unknown",
        "1, clients show nothing",
        "1, groups list nothing",
        "1, explain no-such-file.json",
        "2, users list --limit 0",
        "2, users",
        "2, audit list --action nothing",
        "2, keys list --unknown"
    })
    void an_error_is_one_json_object_on_the_other_output(int status, String command) throws IOException {
        CliRun run = run(command + " --json");

        assertThat(run.status()).isEqualTo(status);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines()).hasSize(1);
        assertThat(JsonObject.parse(run.err()).string("error")).isNotEmpty().doesNotStartWith("Error");
    }

    @Test
    void faults_of_the_configuration_are_listed_in_json() throws IOException {
        CliRun run = CliRun.of(Map.of("PORT", "many", "RATE_LIMIT_PER_MINUTE", "-1"), "keys", "list", "--json");

        assertThat(run.status()).isEqualTo(2);
        JsonObject error = JsonObject.parse(run.err());
        assertThat(error.string("error")).isEqualTo("the configuration is invalid");
        assertThat(error.get("faults"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(2);
    }

    @Test
    void remarks_for_people_are_left_out() {
        assertThat(run("enroll ada").err()).contains("Valid until");
        assertThat(run("enroll ada --json").err()).isEmpty();
        assertThat(run("tokens add backend --role support --json").err()).isEmpty();
        assertThat(run("clients add app --redirect-uri https://app.example/ --json")
                        .err())
                .isEmpty();
        CliRun config = CliRun.of(Map.of("DATA_DIR", directory.toString(), "RP_ORIGN", ""), "config", "--json");
        assertThat(config.err()).isEmpty();
        assertThat(JsonObject.parse(config.out()).get("warnings"))
                .isEqualTo(java.util.List.of("RP_ORIGN is not a setting. Did you mean RP_ORIGIN?"));
        run("enroll bob");
        assertThat(run("users list --limit 1").err()).contains("--after");
        assertThat(run("users list --limit 1 --json").err()).isEmpty();
    }

    private CliRun run(String command) {
        return CliRun.of(Map.of("DATA_DIR", directory.toString(), "PORT", "0"), command.split(" ", -1));
    }
}
