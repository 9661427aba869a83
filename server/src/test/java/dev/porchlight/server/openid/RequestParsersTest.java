// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Each {@link RequestParser} reads its corpus and a fixed set of changes to it. With {@code -Dporchlight.fuzz.minutes=N}, which
 * {@code ./porchlight fuzz N} sets, Jazzer searches for inputs that break one, for a fifth of N minutes, divided over the parsers.
 * Each then has its own JVM, with Jazzer's detectors of injections.
 *
 * <p>Jazzer keeps its corpus in {@code server/target/fuzz}. The failure message has the path of a crashing input there. Add it
 * to the corpus together with the fix.
 */
class RequestParsersTest {
    private static final int MINUTES = Integer.getInteger("porchlight.fuzz.minutes", 0);
    private static final int CHANGES = 2_000;
    private static final int SECONDS_PER_PARSER =
            Math.max(10, MINUTES * 12 / RequestParser.all().size());
    private static final int SECONDS_TO_START = 600;
    private static final Path PLACE = Path.of("target", "fuzz");

    @TestFactory
    Stream<DynamicTest> every_input_is_read_or_refused() {
        return RequestParser.all().stream()
                .map(parser -> DynamicTest.dynamicTest(parser.name(), () -> {
                    if (MINUTES == 0) {
                        readChanged(parser);
                    } else {
                        search(parser);
                    }
                }));
    }

    /** The seed is fixed, so that every run is the same. */
    private static void readChanged(RequestParser parser) throws IOException {
        List<byte[]> corpus = parser.corpus();
        assertThat(corpus).isNotEmpty();
        corpus.forEach(parser::run);
        Random random = new Random(parser.name().hashCode());
        for (int i = 0; i < CHANGES; i++) {
            byte[] input = corpus.get(random.nextInt(corpus.size()));
            int changes = 1 + random.nextInt(3);
            for (int change = 0; change < changes; change++) {
                input = changed(input, corpus.get(random.nextInt(corpus.size())), random);
            }
            parser.run(input);
        }
    }

    private static void search(RequestParser parser) throws IOException, InterruptedException {
        Path learnt = Files.createDirectories(PLACE.resolve(parser.name()));
        Path log = PLACE.resolve(parser + ".log");
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process jazzer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dporchlight.root=" + System.getProperty("porchlight.root"),
                        "-cp",
                        classPath,
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + RequestParserDriver.class.getName(),
                        "--target_args=" + parser,
                        "--instrument=dev.porchlight.server.openid.**:dev.porchlight.base.**:com.nimbusds.**",
                        "--reproducer_path=" + PLACE,
                        "-artifact_prefix=" + PLACE.resolve(parser + "-"),
                        "-max_total_time=" + SECONDS_PER_PARSER,
                        "-timeout=20",
                        "-max_len=20000",
                        "-rss_limit_mb=0",
                        learnt.toString(),
                        parser.directory().toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(jazzer.waitFor(SECONDS_PER_PARSER + SECONDS_TO_START, TimeUnit.SECONDS))
                    .as("%s ended in time, see %s", parser, log)
                    .isTrue();
        } finally {
            jazzer.destroyForcibly();
        }
        assertThat(jazzer.exitValue()).as(Files.readString(log)).isZero();
        assertThat(log).content().containsPattern("Done [1-9][0-9]* runs");
    }

    /** Replaces up to four bytes by others: random ones, or a piece of another input. */
    private static byte[] changed(byte[] input, byte[] other, Random random) {
        int at = random.nextInt(input.length + 1);
        int rest = Math.min(input.length, at + random.nextInt(5));
        byte[] piece = new byte[random.nextInt(5)];
        random.nextBytes(piece);
        if (random.nextBoolean() && other.length > 0) {
            int from = random.nextInt(other.length);
            piece = Arrays.copyOfRange(other, from, Math.min(other.length, from + random.nextInt(40)));
        }
        byte[] result = new byte[at + piece.length + input.length - rest];
        System.arraycopy(input, 0, result, 0, at);
        System.arraycopy(piece, 0, result, at, piece.length);
        System.arraycopy(input, rest, result, at + piece.length, input.length - rest);
        return result;
    }
}
