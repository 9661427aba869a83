// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.support.Patience;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of the audit log on the command line. */
class AuditCommandTest {
    @TempDir
    Path directory;

    @BeforeEach
    void write() {
        run("enroll", "ada");
        run("enroll", "bob");
        run("users", "lock", "bob");
    }

    @Test
    void rows_are_listed_by_user_action_and_time() {
        assertThat(run("audit", "list", "--user", "bob").out().lines())
                .satisfiesExactly(
                        header -> assertThat(header).matches("TIME +ACTION +USER  OUTCOME  DETAILS"),
                        newest -> assertThat(newest).matches(".*Z  user_locked +bob   ok +cli:.*"),
                        oldest -> assertThat(oldest).contains("enrollment_issued  bob   ok"));
        assertThat(actions("--action", "enrollment_issued")).containsExactly("enrollment_issued", "enrollment_issued");
        assertThat(actions("--action", "user_locked", "--user", "ada")).isEmpty();
        assertThat(actions("--since", "1h", "--user", "ada")).containsExactly("enrollment_issued");
        assertThat(actions("--since", "2100-01-01")).isEmpty();
        assertThat(run("audit", "list", "--since", "2100-01-01T00:00:00Z").out())
                .isEqualTo("There are no such rows.\n");
    }

    @Test
    void a_list_continues_after_its_last_row() {
        String next = JsonObject.parse(run("audit", "list", "--user", "bob", "--limit", "1", "--json")
                        .out())
                .string("next");

        assertThat(run("audit", "list", "--user", "bob", "--limit", "1").err())
                .isEqualTo("There are more rows. Continue with --after " + next + "\n");
        assertThat(actions("--user", "bob", "--after", next)).containsExactly("enrollment_issued");
        assertThat(run("audit", "list", "--after", "x").status()).isEqualTo(2);
        assertThat(run("audit", "list", "--limit", "0").status()).isEqualTo(2);
    }

    @Test
    void rows_are_exported_as_json_lines() throws IOException {
        Path file = directory.resolve("audit.jsonl");

        assertThat(run("audit", "export", file.toString(), "--action", "enrollment_issued"))
                .isEqualTo(new CliRun(0, "exported 2 rows to " + file + '\n', ""));
        assertThat(Files.readAllLines(file))
                .extracting(line -> JsonObject.parse(line).string("userId"))
                .containsExactly("bob", "ada");
        assertThat(run("audit", "export", "-", "--action", "enrollment_issued").out())
                .isEqualTo(Files.readString(file));
        assertThat(run("audit", "export", file.toString()).err())
                .isEqualTo("Error: " + file + " exists already: choose another path\n");
    }

    @Test
    void rows_are_followed_from_the_position_where_the_last_run_ended() {
        String position = directory.resolve("position").toString();
        assertThat(followed("--once", "--position", position)).isEmpty(); // begins at the end

        run("users", "unlock", "bob");
        run("users", "lock", "ada");

        assertThat(followed("--once", "--position", position)).containsExactly("user_unlocked bob", "user_locked ada");
        assertThat(followed("--once", "--position", position)).isEmpty();
        run("users", "lock", "bob");
        run("users", "unlock", "ada");
        assertThat(followed("--once", "--position", position, "--action", "user_locked"))
                .containsExactly("user_locked bob");
        assertThat(followed("--once", "--position", position)).isEmpty(); // rows that a filter left out are behind
        assertThat(followed("--once", "--since", "1h", "--user", "bob"))
                .containsExactly("enrollment_issued bob", "user_locked bob", "user_unlocked bob", "user_locked bob");
        assertThat(directory.toFile().list()).doesNotContain(".position.part");
    }

    @Test
    void rows_are_followed_as_they_are_committed() throws Exception {
        var out = new StringWriter();
        var cli = new Cli(
                Patience.variables(Map.of("DATA_DIR", directory.resolve("data").toString())),
                variables -> {},
                new PrintWriter(out),
                new PrintWriter(new StringWriter()));
        Thread following = new Thread(() -> cli.run("audit", "follow", "--since", "1h", "--action", "user_unlocked"));
        following.start();
        try {
            run("users", "unlock", "bob");

            await().until(() -> out.toString().contains("\"action\":\"user_unlocked\",\"userId\":\"bob\""));
        } finally {
            following.interrupt();
            following.join();
        }
    }

    private List<String> followed(String... options) {
        String[] command =
                Stream.concat(Stream.of("audit", "follow"), Stream.of(options)).toArray(String[]::new);
        return run(command)
                .out()
                .lines()
                .map(JsonObject::parse)
                .filter(row -> !row.string("userId").isEmpty()) // each command starts a chain
                .map(row -> row.string("action") + ' ' + row.string("userId"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--since=yesterday", "--since=2026-13-01", "--action=lock"})
    void invalid_filters_are_refused(String filter) {
        CliRun run = run("audit", "list", filter);

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).startsWith("Error: Invalid value for option '" + filter.split("=", 2)[0]);
    }

    private List<String> actions(String... filter) {
        String[] words = Arrays.copyOf(new String[] {"audit", "list", "--json"}, 3 + filter.length);
        System.arraycopy(filter, 0, words, 3, filter.length);
        return JsonObject.parse(run(words).out()).objects("events").stream()
                .map(event -> event.string("action"))
                .toList();
    }

    private CliRun run(String... words) {
        return CliRun.of(Map.of("DATA_DIR", directory.resolve("data").toString()), words);
    }
}
