// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's examples compile with exactly the stated dependencies, and run. */
class ReadmeTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));

    @TempDir
    Path out;

    @Test
    void the_observability_example_runs_with_the_observe_module_alone() throws Exception {
        compile("Checkout", example("Checkout"), module("observe"));
        Process process = checkout();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
        assertThat(printed).contains("\"service\":\"checkout\"", "\"message\":\"paid\"", "\"order\":4711");
    }

    @Test
    void the_span_of_the_observability_example_ends_on_failure() throws Exception {
        String work = "paid.with(\"EUR\").inc();";
        assertThat(example("Checkout")).containsOnlyOnce(work);
        String failing = example("Checkout").replace(work, "if (args.length == 0) throw new RuntimeException();");
        compile("Checkout", failing, module("observe"));
        Process process = checkout();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(printed).isNotZero();
        assertThat(printed).contains("\"name\":\"pay\"", "\"status\":{\"code\":2");
    }

    /** Runs the example and prints its spans to standard output. */
    private Process checkout() throws IOException {
        ProcessBuilder java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                module("observe") + File.pathSeparator + out,
                "Checkout");
        java.environment().put("OTEL_TRACES_EXPORTER", "console");
        return java.redirectErrorStream(true).start();
    }

    @Test
    void the_passkey_example_compiles_with_the_passkey_module_and_its_two_dependencies() throws Exception {
        String jackson = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> entry.contains("jackson-core"))
                .collect(Collectors.joining(File.pathSeparator));

        compile(
                "SignIn",
                example("SignIn"),
                String.join(File.pathSeparator, module("base"), module("passkey"), jackson));
    }

    /** Returns the module's jar, or its classes in a build without the package phase. */
    private static String module(String name) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> entry.startsWith(ROOT.resolve(name).toString()))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private void compile(String className, String source, String classPath) throws IOException {
        new JavaSource(className, source).compile(classPath, out);
    }

    private static String example(String className) throws IOException {
        Matcher block = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(ROOT.resolve("README.md")));
        while (block.find()) {
            if (block.group(1).contains("class " + className + " ")) {
                return block.group(1);
            }
        }
        throw new AssertionError("the README has no example with class " + className);
    }
}
