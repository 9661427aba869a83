// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Recipes for the clients of common applications. */
class RecipesTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));

    @TempDir
    Path directory;

    private CliRun run(String command) {
        return CliRun.of(Map.of("DATA_DIR", directory.toString()), command.split(" ", -1));
    }

    static List<String> names() {
        return List.of(Recipe.NAMES.split(", ", -1));
    }

    private static String exampleUrl(String name) {
        return switch (name) {
            case "keycloak" -> "https://keycloak.example.com/realms/staff";
            case "proxmox" -> "https://proxmox.example.com:8006";
            case "kubernetes" -> "";
            default -> "https://" + name + ".example.com";
        };
    }

    private static String command(String name) {
        String url = exampleUrl(name);
        return "clients add " + name + " --recipe " + name + (url.isEmpty() ? "" : " --url " + url);
    }

    @ParameterizedTest
    @MethodSource("names")
    void a_recipe_registers_a_client_and_prints_the_settings_of_the_application(String name) {
        CliRun run = run(command(name) + " --json");
        assertThat(run.status()).as(run.err()).isZero();
        JsonObject client = JsonObject.parse(run.out());

        assertThat(client.string("instructions"))
                .contains("http://localhost:8080", name, client.string("clientSecret", ""))
                .doesNotContainPattern("(?<!\\{)\\{[a-zA-Z]+}");
        assertThat(client.get("redirectUris").toString())
                .contains(exampleUrl(name))
                .doesNotContain("{");
        assertThat(client.flag("public")).isEqualTo(name.equals("kubernetes"));
        assertThat(client.string("profile")).isEqualTo("default");
        assertThat(client.string("idTokenAlgorithm")).isEqualTo("RS256");
    }

    @Test
    void options_replace_values_of_the_recipe() {
        CliRun run =
                run("clients add board --recipe grafana --url http://localhost:3000/ --name Board --profile basic");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("client secret +\\S{43}\n")
                .contains("Settings of Grafana, for grafana.ini", "client_id = board\n", "[auth.generic_oauth]");

        assertThat(run("clients show board").out())
                .contains(
                        "http://localhost:3000/login/generic_oauth\n",
                        "http://localhost:3000/login\n",
                        "Board",
                        "basic");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--recipe grafana",
                "--recipe unknown --url https://app.example.com",
                "--recipe ../grafana --url https://app.example.com",
                "--url https://app.example.com",
                "--recipe kubernetes --url https://app.example.com",
                "--recipe grafana --url app.example.com",
                "--recipe grafana --url http://app.example.com",
                "--recipe grafana --url https://user@app.example.com",
                "--recipe grafana --url https://app.example.com?a=b",
                "--recipe grafana --url https://app.example.com/$(id)",
                "--recipe grafana --url https://app.example.com/'"
            })
    void an_unknown_recipe_and_an_invalid_url_are_refused(String options) {
        assertThat(run("clients add app " + options).status()).isEqualTo(2);
        assertThat(run("clients list").out()).contains("No application is registered.");
    }

    @Test
    void there_is_a_file_for_each_name_and_no_other() throws IOException {
        try (Stream<Path> files =
                Files.list(ROOT.resolve("server/src/main/resources/dev/porchlight/server/operator/cli/recipes"))) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".txt", ""))
                            .sorted())
                    .isEqualTo(names());
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void the_page_shows_the_recipe(String name) throws IOException {
        Recipe recipe = Recipe.find(name);
        String note = recipe.value("note");
        String section = """
                ## %s

                <!-- not run: RecipesTest runs this command -->
                ```sh
                ./porchlight %s
                ```

                For %s:

                <!-- not run: settings of %s -->
                ```%s
                %s```
                %s""".formatted(
                        recipe.value("title"),
                        command(name),
                        recipe.value("place"),
                        recipe.value("title"),
                        recipe.value("language"),
                        recipe.settings(),
                        note.isEmpty() ? "" : "\n" + note + "\n")
                .replace("{url}", exampleUrl(name))
                .replace("{issuer}", "https://login.example.com")
                .replace("{clientId}", name)
                .replace("{clientSecret}", "...");

        assertThat(Files.readString(ROOT.resolve("docs/guides/openid-recipes.md")))
                .contains(section);
    }
}
