// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.support.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A distribution with its own Java runtime starts on a machine that has no Java. */
@Tag("slow")
@EnabledOnOs(
        value = {OS.LINUX, OS.MAC},
        disabledReason = "needs a POSIX shell")
class RuntimeTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));
    /** The programs of the start script. */
    private static final List<String> TOOLS = List.of(
            "sh",
            "env",
            "dirname",
            "readlink",
            "wc",
            "sed",
            "cksum",
            "ls",
            "head",
            "find",
            "mkdir",
            "rm",
            "mv",
            "sync",
            "grep");

    @TempDir
    Path directory;

    @Test
    void a_distribution_with_a_runtime_needs_no_java() throws Exception {
        assumeTrue(Launch.isPackaged(), "Skipped: the jars are not packaged");
        Path built = distribution(directory.resolve("built"));
        run(ROOT.resolve("ops/dist/runtime").toString(), System.getProperty("java.home"), built.toString());
        Path moved = Files.move(built, directory.resolve("moved"));

        try (Instance service = Launch.in(directory.resolve("service"))
                .patient()
                .with("JAVA_HOME", "")
                .with("PATH", toolsWithoutJava().toString())
                .behind("env", "PORCHLIGHT_LIB=" + moved.resolve("lib"))
                .start()) {
            assertThat(service.process().info().command())
                    .hasValue(moved.toRealPath().resolve("runtime/bin/java").toString());
            assertThat(service.get("/.well-known/jwks.json").status()).isEqualTo(200);
            service.terminate();
            assertThat(service.awaitExit(Patience.LIMIT)).isZero();
        }
    }

    /** The directories of a distribution that the start script uses. */
    private static Path distribution(Path target) throws IOException {
        Path bin = Files.createDirectories(target.resolve("bin"));
        Path script = ROOT.resolve("server/src/main/bin/porchlight");
        Files.copy(script, bin.resolve("porchlight")).toFile().setExecutable(true);
        Path lib = Files.createDirectories(target.resolve("lib"));
        try (Stream<Path> jars = Files.list(ROOT.resolve("server/target/app/lib"))) {
            for (Path jar : (Iterable<Path>) jars::iterator) {
                Files.copy(jar, lib.resolve(jar.getFileName()));
            }
        }
        return target;
    }

    private Path toolsWithoutJava() throws IOException {
        Path tools = Files.createDirectory(directory.resolve("tools"));
        for (String tool : TOOLS) {
            Files.createSymbolicLink(tools.resolve(tool), programInPath(tool));
        }
        return tools;
    }

    private static Path programInPath(String name) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(entry -> Path.of(entry, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }

    private static void run(String... line) throws Exception {
        Process process = new ProcessBuilder(line).inheritIO().start();
        assertThat(process.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }
}
