// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench;

import dev.porchlight.bench.Comparisons.Comparison.Contestant;
import dev.porchlight.bench.observe.CounterLookup;
import dev.porchlight.bench.observe.HistogramBound;
import dev.porchlight.bench.observe.HttpMiddleware;
import dev.porchlight.bench.observe.LogLine;
import dev.porchlight.bench.observe.MetricExports;
import dev.porchlight.bench.observe.PercentileRecord;
import dev.porchlight.bench.observe.Scrape;
import dev.porchlight.bench.observe.Slf4jLine;
import dev.porchlight.bench.observe.SpanThroughQueue;
import dev.porchlight.bench.passkey.AlgorithmVerify;
import dev.porchlight.bench.passkey.AssertionVerify;
import dev.porchlight.bench.passkey.RegistrationVerify;
import dev.porchlight.bench.storage.SqliteCommit;
import dev.porchlight.passkey.CredentialAlgorithm;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The operations that JMH measures in this process, each compared with its peers. */
final class Comparisons {
    private static final Contestant OURS = new Contestant("Porchlight", "ours");
    private static final Contestant CLIENT_JAVA = new Contestant("Prometheus client_java", "clientJava");
    private static final Contestant YUBICO = new Contestant("Yubico java-webauthn-server", "yubico");
    private static final Contestant WEBAUTHN4J = new Contestant("webauthn4j", "webauthn4j");

    private static final List<Comparison> PLAIN = List.of(
            new Comparison(
                    "counter",
                    "Counter, three labels looked up among 360 series",
                    CounterLookup.class,
                    List.of(CLIENT_JAVA, OURS),
                    "at most half the time of client_java, nothing allocated"),
            new Comparison(
                    "histogram",
                    "Histogram, bound, 11 buckets",
                    HistogramBound.class,
                    List.of(CLIENT_JAVA, OURS),
                    "at most half the time of client_java, nothing allocated"),
            new Comparison(
                    "scrape",
                    "Scrape of 360 counters and 360 histograms, text format",
                    Scrape.class,
                    List.of(CLIENT_JAVA, OURS),
                    "at most a tenth of client_java"),
            new Comparison(
                    "log",
                    "JSON log line with nine fields",
                    LogLine.class,
                    List.of(
                            new Contestant("logback and its logstash encoder", "logback"),
                            new Contestant("Porchlight, a new fields object each time", "oursFresh"),
                            OURS),
                    "at most a fifth of the time, nothing allocated in steady state"),
            new Comparison(
                    "span",
                    "Span with five attributes through the batch queue",
                    SpanThroughQueue.class,
                    List.of(new Contestant("OpenTelemetry SDK", "openTelemetry"), OURS),
                    "at most half the time of the OpenTelemetry SDK"),
            new Comparison(
                    "slf4j",
                    "Line through SLF4J 2 with two arguments and a key-value pair",
                    Slf4jLine.class,
                    List.of(new Contestant("logback and its logstash encoder", "logback"), OURS),
                    "at most half the time"),
            new Comparison(
                    "middleware",
                    "One request of the JDK's HTTP server with correlation id, span, metrics and access line",
                    HttpMiddleware.class,
                    List.of(
                            new Contestant("no telemetry", "none"),
                            new Contestant("Micrometer, OpenTelemetry SDK and logback", "micrometer"),
                            OURS),
                    "at most half of what the peers add, and at most 12 µs"),
            new Comparison(
                    "metric-export",
                    "OTLP export of 10,000 series: 5,000 counters and 5,000 histograms",
                    MetricExports.class,
                    List.of(new Contestant("OpenTelemetry SDK", "openTelemetry"), OURS),
                    "at most half the time of the OpenTelemetry SDK"),
            new Comparison(
                    "percentile",
                    "Recording one duration for percentiles",
                    PercentileRecord.class,
                    List.of(new Contestant("HdrHistogram recorder", "hdrHistogram"), OURS),
                    "no slower than HdrHistogram"),
            new Comparison(
                    "assertion",
                    "Verifying one ES256 assertion, from JSON to result, each as documented",
                    AssertionVerify.class,
                    List.of(YUBICO, WEBAUTHN4J, new Contestant("Porchlight, JDK's provider", "oursOnTheJdk"), OURS),
                    "a twelfth of the better peer's time on JDK 17, an eighth on JDK 25"),
            new Comparison(
                    "assertion-native",
                    "Verifying one ES256 assertion, all with the native provider",
                    AssertionVerify.class,
                    List.of(
                            new Contestant("Yubico java-webauthn-server", "yubicoNative"),
                            new Contestant("webauthn4j, record ready", "webauthn4jNative"),
                            OURS),
                    "at most 0.71 of the better peer's time"),
            new Comparison(
                    "assertion-floor",
                    "Verifying one ES256 assertion compared with the bare signature check and two digests",
                    AssertionVerify.class,
                    List.of(new Contestant("floor: signature check with a prepared key, two SHA-256", "floor"), OURS),
                    "at most 1.05 of the floor"),
            new Comparison(
                    "registration",
                    "Verifying a registration with attestation none, from JSON to result",
                    RegistrationVerify.class,
                    List.of(YUBICO, WEBAUTHN4J, OURS),
                    "faster than both"),
            new Comparison(
                    "sqlite-commit",
                    "One durable update of SQLite, with eight concurrent threads",
                    SqliteCommit.class,
                    List.of(
                            new Contestant("one commit per update", "oneByOne"),
                            new Contestant("Porchlight, group commit", "ours")),
                    "at most half the time"));

    /** The passkeys of each algorithm, beside the libraries that know it. */
    private static final List<Comparison> ALGORITHMS = List.of(
            algorithm(CredentialAlgorithm.EDDSA, YUBICO, WEBAUTHN4J),
            algorithm(CredentialAlgorithm.ES384, YUBICO, WEBAUTHN4J),
            algorithm(CredentialAlgorithm.ES512, YUBICO, WEBAUTHN4J),
            algorithm(CredentialAlgorithm.RS256, YUBICO, WEBAUTHN4J),
            algorithm(CredentialAlgorithm.PS256, WEBAUTHN4J),
            algorithm(CredentialAlgorithm.ML_DSA_44),
            algorithm(CredentialAlgorithm.ML_DSA_65),
            algorithm(CredentialAlgorithm.ML_DSA_87));

    static final List<Comparison> ALL =
            Stream.concat(PLAIN.stream(), ALGORITHMS.stream()).toList();

    private Comparisons() {}

    private static Comparison algorithm(CredentialAlgorithm algorithm, Contestant... peers) {
        return new Comparison(
                "assertion-" + algorithm.label().toLowerCase(Locale.ROOT),
                "Verifying one " + algorithm.label() + " assertion, from JSON to result, each as documented",
                AlgorithmVerify.class,
                Stream.concat(Stream.of(peers), Stream.of(OURS)).toList(),
                peers.length == 0 ? "no target: for capacity planning" : "faster than the peers",
                algorithm.name());
    }

    /**
     * One operation measured on several contestants in the same run.
     *
     * @param name the argument of {@code ./porchlight bench NAME}
     * @param operation a description of the operation
     * @param benchmark the JMH class; each contestant is one of its methods
     * @param contestants peers first, ours last
     * @param goal a description of the goal
     * @param algorithm the parameter of the JMH class, or empty if it has none
     */
    record Comparison(
            String name,
            String operation,
            Class<?> benchmark,
            List<Contestant> contestants,
            String goal,
            String algorithm) {
        Comparison {
            contestants = List.copyOf(contestants);
        }

        Comparison(String name, String operation, Class<?> benchmark, List<Contestant> contestants, String goal) {
            this(name, operation, benchmark, contestants, goal, "");
        }

        /** A method of the benchmark class and its label in the table. */
        record Contestant(String label, String method) {}
    }
}
