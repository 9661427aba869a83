// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.Jazzer;
import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.fasterxml.jackson.core.JsonFactory;
import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.PasskeyConfig;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Searches for inputs that break a {@link FuzzTarget}.
 *
 * <p>By default each target parses a fixed set of small changes to its corpus, in this JVM. With
 * {@code -Dporchlight.fuzz.minutes=N}, which {@code ./porchlight fuzz N} sets, Jazzer searches for N minutes instead, divided
 * over the targets. Each target then has its own JVM, so that Jazzer does not instrument the other tests, with a
 * small heap and a timeout per input, so that excessive memory and hangs are findings too.
 *
 * <p>Jazzer keeps its corpus in {@code passkey/target/fuzz}. The failure message has the path of a crashing input there. Add it
 * to the corpus together with the fix.
 */
class FuzzingTest {
    private static final int MINUTES = Integer.getInteger("porchlight.fuzz.minutes", 0);
    private static final int CHANGED_INPUTS = 2_000;
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private static final int SECONDS_PER_TARGET = Math.max(1, MINUTES * 60 * PROCESSORS / FuzzTarget.values().length);
    private static final int SECONDS_PER_INPUT = 20;
    private static final int SECONDS_TO_START = 600;
    private static final Path PLACE = Path.of("target", "fuzz");

    /** Jazzer's injection detectors, which do not apply here. */
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
    Stream<DynamicTest> no_input_breaks_a_target() {
        if (MINUTES == 0) {
            return Stream.of(FuzzTarget.values())
                    .map(target -> DynamicTest.dynamicTest(target.name(), () -> readChanged(target)));
        }
        ExecutorService pool = Executors.newFixedThreadPool(PROCESSORS);
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

    /** Parses mutations of the corpus. The seed is fixed, so that every run is the same. */
    private static void readChanged(FuzzTarget target) throws IOException {
        Random random = new Random(target.name().hashCode());
        List<byte[]> corpus = new ArrayList<>();
        for (Path file : target.corpus()) {
            corpus.add(Files.readAllBytes(file));
        }
        for (int i = 0; i < CHANGED_INPUTS; i++) {
            byte[] input = changed(corpus.get(i % corpus.size()), random);
            try {
                target.run(input);
            } catch (RuntimeException | AssertionError found) {
                throw new AssertionError("input " + HexFormat.of().formatHex(input), found);
            }
        }
    }

    /** Replaces up to four bytes at one position by up to four others. */
    private static byte[] changed(byte[] input, Random random) {
        int at = random.nextInt(input.length + 1);
        byte[] replacement = new byte[random.nextInt(5)];
        random.nextBytes(replacement);
        int rest = Math.min(input.length, at + random.nextInt(5));
        return ByteBuffer.allocate(at + replacement.length + input.length - rest)
                .put(input, 0, at)
                .put(replacement)
                .put(input, rest, input.length - rest)
                .array();
    }

    private static String search(FuzzTarget target) throws IOException, InterruptedException {
        Path learnt = Files.createDirectories(PLACE.resolve(target.name()));
        Path log = PLACE.resolve(target + ".log");
        Process jazzer = new ProcessBuilder(command(target, learnt))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(jazzer.waitFor(SECONDS_PER_TARGET + SECONDS_TO_START, TimeUnit.SECONDS))
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
                "-Dporchlight.root=" + System.getProperty("porchlight.root"),
                "-cp",
                classPath(
                        FuzzDriver.class,
                        PasskeyConfig.class,
                        Bytes.class,
                        JsonFactory.class,
                        Jazzer.class,
                        FuzzedDataProvider.class),
                Jazzer.class.getName(),
                "--target_class=" + FuzzDriver.class.getName(),
                "--target_args=" + target,
                "--instrument=dev.porchlight.passkey.**",
                "--disabled_hooks=" + String.join(":", detectors()),
                "--reproducer_path=" + PLACE,
                "-artifact_prefix=" + PLACE.resolve(target + "-"),
                "-max_total_time=" + SECONDS_PER_TARGET,
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

    /** A minimal class path, because Jazzer scans every class on it. */
    private static String classPath(Class<?>... classes) {
        return Arrays.stream(classes)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .map(location -> Path.of(URI.create(location.toString())).toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
