// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.observe.health.CheckOptions;
import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.observe.http.TelemetryHandlers;
import dev.porchlight.observe.log.JdkLoggerFinder;
import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.LogFormat;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.log.Thresholds;
import dev.porchlight.observe.metrics.Format;
import dev.porchlight.observe.metrics.MetricBuilder;
import dev.porchlight.observe.trace.Tracer;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Misuse at set-up throws at the caller, names the argument, and affects nothing else. */
@SuppressWarnings({"NullAway", "resource"})
class SetUpMisuseTest {
    private static final ObservabilitySettings SETTINGS = ObservabilitySettings.fromEnvironment("x", Map.of());

    static Arguments[] misuses() {
        return new Arguments[] {
            misuse("options", o -> o.health().register("x", CheckResult::up, null)),
            misuse("check", o -> o.health().register("x", null)),
            misuse("name", o -> o.health().register(null, CheckResult::up)),
            misuse("name", o -> o.health().register(" ", CheckResult::up)),
            misuse("newListener", o -> o.health().listen(null)),
            misuse("name", o -> o.metrics().counter(null).help("h").register()),
            misuse(
                    "label",
                    o -> o.metrics()
                            .counter("c_total")
                            .help("h")
                            .labels("a", null)
                            .register()),
            misuse("names", o -> o.metrics().counter("c_total").labels((String[]) null)),
            misuse("upperBounds", o -> o.metrics().timer("t_seconds").buckets((double[]) null)),
            misuse("value", o -> o.metrics().gauge("g").help("h").read((DoubleSupplier) null)),
            misuse("callback", o -> o.metrics().gauge("g").help("h").read((Consumer<MetricBuilder.Samples>) null)),
            misuse("callback", o -> o.metrics().summary("s").help("h").read(null)),
            misuse("sink", o -> LogWriter.to(null)),
            misuse(
                    "thresholds",
                    o -> new Logger(
                            "x", (Thresholds) null, new LogFormat.Json(), LogWriter.to(new ByteArrayOutputStream()))),
            misuse(
                    "general",
                    o -> new Logger(
                            "x", (Level) null, new LogFormat.Json(), LogWriter.to(new ByteArrayOutputStream()))),
            misuse("format", o -> new Logger("x", Level.INFO, null, LogWriter.to(new ByteArrayOutputStream()))),
            misuse("writer", o -> new Logger("x", Level.INFO, new LogFormat.Json(), null)),
            misuse("settings", o -> Observability.open(null)),
            misuse("writer", o -> Observability.open(SETTINGS, null)),
            misuse("environment", o -> ObservabilitySettings.fromEnvironment("x", null)),
            misuse("newPage", o -> o.endpoints().with(null)),
            misuse("server", o -> new TelemetryHandlers(o.endpoints()).mount(null)),
            misuse("logger", o -> JdkLoggerFinder.install(null)),
            misuse("listener", o -> Tracer.open(SETTINGS.tracing(), null)),
            misuse("readinessDelay", o -> SETTINGS.withReadinessDelay(null)),
        };
    }

    private static Arguments misuse(String named, Consumer<Observability> action) {
        return Arguments.of(named, action);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("misuses")
    void misuse_throws_at_the_caller_and_affects_nothing_else(String named, Consumer<Observability> action)
            throws Exception {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        try (Observability observe = Observability.open(SETTINGS, LogWriter.to(lines))) {
            assertThatThrownBy(() -> action.accept(observe))
                    .isInstanceOfAny(NullPointerException.class, IllegalArgumentException.class)
                    .hasMessageContaining(named);
            observe.health().register("x", CheckResult::up, CheckOptions.liveness());
            assertThat(observe.health().live().ok()).isTrue();
            assertThat(observe.health().ready().ok()).isTrue();
            ByteArrayOutputStream scraped = new ByteArrayOutputStream();
            observe.metrics().counter("c_total").help("h").register().inc();
            observe.metrics().scrape(Format.TEXT, scraped);
            assertThat(scraped.toString(UTF_8)).contains("\nc_total 1\n").doesNotContain("obs_metric_misuse_total{");
            assertThat(lines.toString(UTF_8)).isEmpty();
        }
    }

    @Test
    void a_check_that_is_registered_twice_is_refused_and_the_first_one_stays() {
        try (Observability observe = Observability.open(SETTINGS, LogWriter.to(new ByteArrayOutputStream()))) {
            observe.health().register("x", CheckResult::up);
            assertThatThrownBy(() -> observe.health().register("x", () -> CheckResult.down("no")))
                    .hasMessageContaining("already registered");
            assertThat(observe.health().ready().ok()).isTrue();
        }
    }
}
