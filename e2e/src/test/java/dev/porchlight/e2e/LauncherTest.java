// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.support.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The build output and errors of {@code ./porchlight}. In most tests, a script replaces Maven. */
@Tag("slow")
class LauncherTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));
    private static final Map<String, String> JDK = Map.of("JAVA_HOME", System.getProperty("java.home"));
    private static final Pattern BUILD_FILE =
            Pattern.compile("porchlight|mvnw|\\.mvn/.*\\.\\w+|ops/lean/build|([a-z0-9-]+/){0,2}pom\\.xml");
    private static final String BUILD_LOG = """
            [INFO] Reactor Build Order:
            [INFO] Porchlight observe                                                 [jar]
            [INFO] Porchlight server                                                  [jar]
            [INFO] Downloading from somewhere: https://repository.invalid/a.pom
            [INFO] Downloaded from somewhere: https://repository.invalid/a.pom (5.7 kB at 2.9 kB/s)
            [INFO] Downloaded from somewhere: https://repository.invalid/a.jar (12 MB at 1.1 MB/s)
            [INFO] Compiling 256 source files with javac [debug] to target/classes
            [INFO] Building jar: /somewhere/observe.jar
            """;

    @TempDir
    Path repository;

    @BeforeEach
    void createRepository() throws IOException {
        Requirements.program("awk");
        Files.copy(ROOT.resolve("porchlight"), repository.resolve("porchlight"));
        Files.createDirectories(repository.resolve("ops/lean"));
        Files.copy(ROOT.resolve("ops/lean/build"), repository.resolve("ops/lean/build"));
        Files.createDirectories(repository.resolve("client/src"));
        Files.createDirectories(repository.resolve("server/src/main"));
        Files.writeString(repository.resolve("pom.xml"), "<project/>");
        Files.writeString(repository.resolve("server/pom.xml"), "<project/>");
    }

    @Test
    void progress_shows_modules_and_downloads() throws Exception {
        maven("cat <<'LOG'\n" + BUILD_LOG + "LOG\nsleep 6\nexit 1\n");

        assertThat(run("version").output())
                .contains("porchlight: building server, ")
                .contains(" s: 1 of 2 modules, compiling, 2 files (12.0 MB) downloaded\n");
    }

    @Test
    void a_failed_build_shows_its_errors_and_its_log_path() throws Exception {
        maven("echo '[INFO] fine'\necho '[ERROR] App.java:[3,1] ; expected'\nexit 1\n");

        Run run = run("serve");

        Path log = repository.resolve("target/build-server.log");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.output())
                .contains("[ERROR] App.java:[3,1] ; expected")
                .contains("porchlight: the build of server failed. The whole log: " + log)
                .doesNotContain("fine");
        assertThat(log).content().contains("[INFO] fine");
    }

    @Test
    void errors_are_shown_once_and_without_advice() throws Exception {
        maven("""
                echo '[ERROR] App.java:[3,1] ; expected'
                echo '[INFO] 1 error'
                echo '[ERROR] App.java:[3,1] ; expected'
                echo '[ERROR] Could not resolve a.jar -> [Help 1]'
                echo '[ERROR] '
                echo '[ERROR] Re-run Maven with -X'
                exit 1
                """);

        assertThat(run("version").output())
                .startsWith("[ERROR] App.java:[3,1] ; expected\n[ERROR] Could not resolve a.jar\nporchlight: ");
    }

    @Test
    void a_directory_without_write_access_is_reported() throws Exception {
        Files.createSymbolicLink(repository.resolve("target"), Path.of("/proc"));

        Run run = run("version");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.output()).contains(repository.resolve("target").toString());
    }

    @Test
    void a_signal_ends_the_build() throws Exception {
        SleepingProgram program = SleepingProgram.create(repository.resolve("mvnw"));
        Process launcher = start(repository, JDK, "version");
        ProcessHandle maven = program.awaitStart();

        launcher.destroy();

        assertThat(launcher.waitFor()).isEqualTo(1);
        await().until(() -> !maven.isAlive());
        assertThat(repository.resolve("target/.building")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"fuzz, ''", "fuzz, 00", "fuzz, 5m", "fix, --now"})
    void invalid_usage_is_refused(String command, String argument) throws Exception {
        Run run = run(repository, JDK, command, argument);

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.output()).startsWith("porchlight: usage: ./porchlight " + command);
    }

    @Test
    void help_does_not_run_the_command() throws Exception {
        Run run = run(repository, JDK, "fix", "--help");

        assertThat(run.status()).isZero();
        assertThat(run.output()).startsWith("  ./porchlight fix ").hasLineCount(1);
    }

    @Test
    void jars_of_the_manifest_are_copied() throws Exception {
        startScript("ls \"$PORCHLIGHT_LIB\"");
        maven("""
                mkdir -p 'my repository/org/example/a-rather-long-name/1.2.3' passkey/target/lean server/target/lean/app/lib
                : >'my repository/org/example/a-rather-long-name/1.2.3/a-rather-long-name-1.2.3.jar'
                : >passkey/target/lean/porchlight-passkey-1.jar
                printf 'Local-Repository: %s/my repository\\nClass-Path: %s %s\\n' "$PWD" \\
                  dev/porchlight/porchlight-passkey/1/porchlight-passkey-1.jar \\
                  org/example/a-rather-long-name/1.2.3/a-rather-long-name-1.2.3.jar >manifest
                "$JAVA_HOME/bin/jar" -cfm server/target/lean/app/lib/porchlight-server-1.jar manifest manifest
                """);
        Path old = repository.resolve("server/target/app/lib/of-an-earlier-version.jar");
        Files.createDirectories(old.getParent());
        Files.createFile(old);

        assertThat(run("version").output().lines().filter(line -> !line.startsWith("porchlight: building ")))
                .containsExactly("a-rather-long-name-1.2.3.jar", "porchlight-passkey-1.jar", "porchlight-server-1.jar");
        assertThat(repository.resolve("target/.building")).doesNotExist();
    }

    @Test
    void a_build_with_missing_jars_fails() throws Exception {
        maven("exit 0\n");

        assertThat(run("version").status()).isEqualTo(1);
        assertThat(repository.resolve("server/target/app/.built")).doesNotExist();
    }

    @Test
    void a_lock_of_a_killed_build_is_ignored() throws Exception {
        maven("echo '[ERROR] built'\nexit 1\n");
        Process killed = new ProcessBuilder("true").start();
        killed.waitFor();
        Files.createDirectories(repository.resolve("target/.building"));
        Files.writeString(repository.resolve("target/.building/pid"), Long.toString(killed.pid()));

        assertThat(run("version").output()).contains("[ERROR] built");
    }

    @Test
    void an_up_to_date_build_prints_nothing() throws Exception {
        maven("exit 1\n");
        startScript("echo started \"$@\"");
        Files.createDirectories(repository.resolve("server/target/app"));
        Files.createFile(repository.resolve("server/target/app/.built"));

        assertThat(run("serve")).isEqualTo(new Run(0, "started serve\n"));
    }

    @Test
    void an_invalid_JAVA_HOME_is_reported() throws Exception {
        Run run = run(repository, Map.of("JAVA_HOME", "/nowhere"), "serve");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.output())
                .isEqualTo("porchlight: JAVA_HOME is /nowhere, but /nowhere/bin/java does not exist."
                        + " Point it at a JDK, 17 or newer, or unset it.\n");
    }

    /** With the real Maven, on the project without its sources. */
    @Test
    void fix_formats_the_sources_of_every_module() throws Exception {
        Path project = repository.resolve("project");
        for (Path file : buildFiles()) {
            Path copy = project.resolve(ROOT.relativize(file));
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy);
        }
        Path source = project.resolve("base/src/main/java/Source.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, "package a;class   Source{}");

        assertThat(run(project, JDK, "fix")).isEqualTo(new Run(0, ""));
        assertThat(source).hasContent("// SPDX-License-Identifier: Apache-2.0\npackage a;\n\nclass Source {}\n");
    }

    private static List<Path> buildFiles() throws IOException {
        try (Stream<Path> files = Files.find(
                ROOT,
                3,
                (file, unused) ->
                        BUILD_FILE.matcher(ROOT.relativize(file).toString()).matches())) {
            return files.toList();
        }
    }

    private void maven(String script) throws IOException {
        program("mvnw", script);
    }

    private void startScript(String script) throws IOException {
        program("server/src/main/bin/porchlight", script + '\n');
    }

    private void program(String name, String script) throws IOException {
        Path file = repository.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\nset -e\n" + script);
        file.toFile().setExecutable(true);
    }

    private Run run(String command) throws Exception {
        return run(repository, JDK, command);
    }

    private Run run(Path root, Map<String, String> variables, String... command) throws Exception {
        Process process = start(root, variables, command);
        assertThat(process.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        return new Run(process.exitValue(), Files.readString(output()));
    }

    private Process start(Path root, Map<String, String> variables, String... command) throws IOException {
        List<String> line =
                new ArrayList<>(List.of("sh", root.resolve("porchlight").toString()));
        line.addAll(List.of(command));
        ProcessBuilder builder =
                new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output().toFile());
        builder.environment().putAll(variables);
        return builder.start();
    }

    private Path output() {
        return repository.resolve("output");
    }

    private record Run(int status, String output) {}
}
