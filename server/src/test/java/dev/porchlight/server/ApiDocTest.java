// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.CommonProblem;
import dev.porchlight.passkey.AuthenticationResult;
import dev.porchlight.passkey.Step;
import dev.porchlight.support.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of the API reference and checks its table of errors. */
class ApiDocTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));
    private static final Pattern SHELL = Pattern.compile("^```sh\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern ROW = Pattern.compile("^\\| `([a-z_0-9]+)` \\| (\\d{3}|logs) \\|", Pattern.MULTILINE);
    private static final Pattern PROBLEM =
            Pattern.compile("(?:Problem\\.of|new Problem|[ =]of)\\(\\s*(\\d{3}),\\s*\"([a-z_]+)\"");

    @TempDir
    Path scratch;

    @Test
    void the_documented_commands_run() throws Exception {
        for (String tool : List.of("bash", "curl")) {
            requireTool(tool);
        }
        int port = freePort();
        Map<String, String> variables = Map.of(
                "PORT",
                Integer.toString(port),
                "DATA_DIR",
                scratch.resolve("data").toString());
        try (RunningService service = new RunningService(variables, routes -> {})) {
            Path output = scratch.resolve("output");
            Process bash = bash(service.app.url(), output).start();
            assertThat(bash.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();

            String said = Files.readString(output);
            assertThat(bash.exitValue()).as(said).isZero();
            assertThat(said)
                    .contains("{\"credentialId\":\"")
                    .contains("{\"userId\":\"ada\",\"via\":\"token\"")
                    .contains("\"current\":true")
                    .contains("\"name\":\"blue key\"")
                    .contains("{\"passkeys\":[]")
                    .containsPattern("(?m)^204$")
                    .contains("/#enroll=enroll_")
                    .contains("\"supportCode\":\"KE-4QF\"")
                    .contains("\"refusal\":{\"supportCode\":\"KE-4QF\"");
        }
    }

    @Test
    void every_problem_code_is_documented_with_its_status() throws IOException {
        var used = new TreeSet<String>();
        for (String source : sources()) {
            PROBLEM.matcher(source).results().forEach(found -> used.add(found.group(2) + ' ' + found.group(1)));
        }
        for (CommonProblem problem : CommonProblem.values()) {
            used.add(problem.code() + ' ' + problem.status());
        }
        assertThat(used).contains("malformed_request 400", "user_exists 409", "recent_login_required 403");

        var steps = Arrays.stream(Step.values()).map(Step::code).toList();
        assertThat(rows().filter(row -> !steps.contains(row.group(1))).map(row -> row.group(1) + ' ' + row.group(2)))
                .containsExactlyInAnyOrderElementsOf(
                        used.stream().filter(one -> !steps.contains(step(one))).toList());
        assertThat(rows().map(row -> row.group(1) + ' ' + row.group(2)))
                .as("a step refused outside its ceremony has one status")
                .containsAll(
                        used.stream().filter(one -> steps.contains(step(one))).toList());
    }

    private ProcessBuilder bash(String url, Path output) throws IOException {
        Path script = scratch.resolve("commands.sh");
        StringBuilder commands = new StringBuilder("set -euo pipefail\n");
        SHELL.matcher(page()).results().forEach(block -> commands.append(block.group(1)));
        Files.writeString(script, commands);
        ProcessBuilder builder = new ProcessBuilder("bash", script.toString())
                .directory(ROOT.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("PORCHLIGHT", url);
        builder.environment().put("TMPDIR", scratch.toString());
        builder.environment()
                .merge("PATH", System.getProperty("java.home") + "/bin", (path, java) -> java + ':' + path);
        return builder;
    }

    private static String step(String codeAndStatus) {
        return codeAndStatus.substring(0, codeAndStatus.indexOf(' '));
    }

    private static Stream<MatchResult> rows() throws IOException {
        String codes = Files.readString(ROOT.resolve("docs/reference/refusal-codes.md"));
        return Stream.of(page(), codes).flatMap(page -> ROW.matcher(page).results());
    }

    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("docs/reference/api.md"));
    }

    private static List<String> sources() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("server/src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(ApiDocTest::text)
                    .toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file)
                    .replace("AuthenticationResult.ERROR_CODE", '"' + AuthenticationResult.ERROR_CODE + '"');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void requireTool(String tool) {
        boolean there = Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, tool)));
        if (!there && !"true".equals(System.getenv("CI"))) {
            System.out.println("Skipped: the commands of docs/reference/api.md were not run: missing " + tool);
        }
        Assumptions.assumeTrue(there || "true".equals(System.getenv("CI")), tool + " is missing");
        assertThat(there).as(tool + " is here").isTrue();
    }

    /** A port that was free a moment ago. The page's origin contains it, so it must be known before the start. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
