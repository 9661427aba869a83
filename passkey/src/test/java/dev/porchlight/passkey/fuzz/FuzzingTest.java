// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.Jazzer;
import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.fasterxml.jackson.core.JsonFactory;
import dev.porchlight.passkey.data.Bytes;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Has Jazzer search for inputs that break a {@link FuzzTarget}, a second each.
 *
 * <p>For a long search: {@code mvn -pl passkey -am test -Dtest=FuzzingTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Dporchlight.fuzz.seconds=600}; zero turns it off. Each target has a JVM of its own, so that Jazzer's instrumentation
 * stays out of the other tests, with little heap and a deadline per input, so that hoarding and hanging are findings too.
 *
 * <p>What a search learns stays in {@code passkey/target/fuzz}. An input that breaks something is left there, named in the
 * failure, and belongs into the corpus beside the mended code.
 */
class FuzzingTest {
    private static final int SECONDS = Integer.getInteger("porchlight.fuzz.seconds", 1);
    private static final int SECONDS_PER_INPUT = 20;
    private static final int SECONDS_TO_START = 600;
    private static final Path PLACE = Path.of("target", "fuzz");

    /** Jazzer's detectors of injections: nothing here talks to a database, a shell or a directory. */
    private static final String[] DETECTORS = {
        "BigDecimal",
        "ClojureLangHooks",
        "Deserialization",
        "ExpressionLanguageInjection",
        "FilePathTraversal",
        "LdapInjection",
        "NamingContextLookup",
        "OsCommandInjection",
        "ReflectiveCall",
        "RegexInjection",
        "RegexRoadblocks",
        "ScriptEngineInjection",
        "ServerSideRequestForgery",
        "SqlInjection",
        "TemplateInjection",
        "UnsafeSanitizer",
        "XPathInjection",
        "XmlParserSsrfGuidance"
    };

    @TestFactory
    Stream<DynamicTest> finds_nothing_that_breaks() {
        Assumptions.assumeTrue(SECONDS > 0, "skipped: porchlight.fuzz.seconds is 0");
        ExecutorService pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        Map<FuzzTarget, Future<String>> searches = new EnumMap<>(FuzzTarget.class);
        for (FuzzTarget target : FuzzTarget.values()) {
            searches.put(target, pool.submit(() -> search(target)));
        }
        pool.shutdown();
        return searches.entrySet().stream()
                .map(search -> DynamicTest.dynamicTest(
                        search.getKey().name(),
                        () -> assertThat(search.getValue().get()).containsPattern("Done [1-9][0-9]* runs")));
    }

    private static String search(FuzzTarget target) throws IOException, InterruptedException {
        Path learnt = Files.createDirectories(PLACE.resolve(target.name()));
        Path log = PLACE.resolve(target + ".log");
        Process jazzer = new ProcessBuilder(command(target, learnt))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(jazzer.waitFor(SECONDS + SECONDS_TO_START, TimeUnit.SECONDS))
                    .as("%s ended in time, see %s", target, log)
                    .isTrue();
        } finally {
            jazzer.destroyForcibly();
        }
        String output = Files.readString(log);
        assertThat(jazzer.exitValue()).as(output).isZero();
        return output;
    }

    private static List<String> command(FuzzTarget target, Path learnt) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(FuzzDriver.class, Bytes.class, JsonFactory.class, Jazzer.class, FuzzedDataProvider.class),
                Jazzer.class.getName(),
                "--target_class=" + FuzzDriver.class.getName(),
                "--target_args=" + target,
                "--instrument=dev.porchlight.passkey.**",
                "--disabled_hooks=" + String.join(":", detectors()),
                "--reproducer_path=" + PLACE,
                "-artifact_prefix=" + PLACE.resolve(target + "-"),
                "-max_total_time=" + SECONDS,
                "-timeout=" + SECONDS_PER_INPUT,
                "-max_len=66000",
                "-rss_limit_mb=0",
                learnt.toString(),
                target.directory().toString());
    }

    private static List<String> detectors() {
        return Arrays.stream(DETECTORS)
                .map(name -> "com.code_intelligence.jazzer.sanitizers." + name)
                .toList();
    }

    /** Where these classes come from, and nothing else: Jazzer looks at every class there is. */
    private static String classPath(Class<?>... classes) {
        return Arrays.stream(classes)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .map(location -> Path.of(URI.create(location.toString())).toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
