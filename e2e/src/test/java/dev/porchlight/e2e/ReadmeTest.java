// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.support.Patience;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

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

        assertThat(process.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
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

        assertThat(process.waitFor(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
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
    void the_passkey_example_registers_a_passkey_and_signs_in() throws Exception {
        String jackson = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> entry.contains("jackson-core"))
                .collect(Collectors.joining(File.pathSeparator));
        compile(
                "Passkeys",
                example("Passkeys"),
                String.join(File.pathSeparator, module("base"), module("passkey"), jackson));
        var database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + out.resolve("readme.db"));
        var browser = new SoftBrowser("https://myapp.com", SoftAuthenticator.securityKey());

        try (var loader =
                new URLClassLoader(new URL[] {out.toUri().toURL()}, getClass().getClassLoader())) {
            var passkeys = new Example(loader.loadClass("Passkeys"), database);
            String creation = (String) passkeys.call("registrationOptions", "ada");

            assertThat(passkeys.call("register", "ada", browser.create(creation)))
                    .isEqualTo(true);

            String request = (String) passkeys.call("signInOptions");
            String response = browser.get(request);

            assertThat(passkeys.call("signIn", response)).isEqualTo(Optional.of("ada"));
            assertThat(passkeys.call("signIn", response)).isEqualTo(Optional.empty());
        }
    }

    /** An instance of the passkey example, whose methods accept only strings. */
    private static final class Example {
        private final Object instance;

        Example(Class<?> type, DataSource database) throws ReflectiveOperationException {
            var constructor = type.getDeclaredConstructor(DataSource.class);
            constructor.setAccessible(true);
            instance = constructor.newInstance(database);
        }

        Object call(String name, String... arguments) throws ReflectiveOperationException {
            var method = instance.getClass()
                    .getDeclaredMethod(
                            name,
                            Collections.nCopies(arguments.length, String.class).toArray(Class[]::new));
            method.setAccessible(true);
            return method.invoke(instance, (Object[]) arguments);
        }
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
