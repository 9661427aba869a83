// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe;

import dev.porchlight.observe.log.LogExport;
import dev.porchlight.observe.log.LogFormat;
import dev.porchlight.observe.log.Thresholds;
import dev.porchlight.observe.metrics.MetricExport;
import dev.porchlight.observe.trace.TraceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * The settings of an {@link Observability}. Immutable.
 *
 * @param service the service's name in log lines; {@link TraceSettings#serviceName()} is its name in traces
 * @param logLevels the lowest level that is written
 * @param logFormat the format of log lines
 * @param color whether a terminal may show colors, for {@link #forTerminal}
 * @param tracing the settings of the tracer
 * @param metricExport the settings of the export of metrics
 * @param logExport the settings of the export of log lines
 * @param readinessDelay how long readiness stays down after the start
 * @param warnings the invalid environment variables, for which defaults are used
 */
public record ObservabilitySettings(
        String service,
        Thresholds logLevels,
        LogFormat logFormat,
        boolean color,
        TraceSettings tracing,
        MetricExport.Settings metricExport,
        LogExport.Settings logExport,
        Duration readinessDelay,
        List<Warning> warnings) {
    private static final String DELAY = "SVC_READINESS_DELAY_MS";

    public ObservabilitySettings {
        Objects.requireNonNull(logLevels, "logLevels");
        Objects.requireNonNull(logFormat, "logFormat");
        Objects.requireNonNull(tracing, "tracing");
        Objects.requireNonNull(metricExport, "metricExport");
        Objects.requireNonNull(logExport, "logExport");
        Objects.requireNonNull(readinessDelay, "readinessDelay");
        warnings = List.copyOf(warnings);
    }

    /** An invalid environment variable, and a sentence about it. */
    public record Warning(String variable, String message) {}

    /**
     * Reads {@code LOG_LEVEL}, {@code SVC_READINESS_DELAY_MS}, {@code NO_COLOR}, {@code TERM}, {@code K_SERVICE},
     * {@code K_REVISION}, {@code GOOGLE_CLOUD_PROJECT} and OpenTelemetry's {@code OTEL_*} variables. Never fails: invalid
     * variables are in {@link #warnings}.
     *
     * @param service the service's name in log lines, and in traces unless the environment has one
     */
    public static ObservabilitySettings fromEnvironment(String service, Map<String, String> environment) {
        Objects.requireNonNull(environment, "environment");
        List<Warning> warnings = new ArrayList<>();
        BiConsumer<String, String> report = (variable, message) -> {
            Warning warning = new Warning(variable, message);
            if (!warnings.contains(warning)) { // several signals read the general variables
                warnings.add(warning);
            }
        };
        return new ObservabilitySettings(
                service,
                Thresholds.parse(environment.get("LOG_LEVEL"), message -> report.accept("LOG_LEVEL", message)),
                LogFormat.fromEnvironment(environment),
                environment.getOrDefault("NO_COLOR", "").isBlank() && !"dumb".equals(environment.get("TERM")),
                TraceSettings.fromEnvironment(service, environment, report),
                MetricExport.Settings.fromEnvironment(service, environment, report),
                LogExport.Settings.fromEnvironment(service, environment, report),
                delay(environment.getOrDefault(DELAY, "").strip(), warnings),
                warnings);
    }

    public ObservabilitySettings withLogLevels(Thresholds levels) {
        return with(levels, logFormat, readinessDelay);
    }

    public ObservabilitySettings withReadinessDelay(Duration delay) {
        return with(logLevels, logFormat, delay);
    }

    /** Returns these settings with log lines for a terminal, unless the format is Google Cloud's. */
    public ObservabilitySettings forTerminal() {
        LogFormat format = logFormat instanceof LogFormat.Cloud ? logFormat : new LogFormat.Console(color);
        return with(logLevels, format, readinessDelay);
    }

    private ObservabilitySettings with(Thresholds levels, LogFormat format, Duration delay) {
        return new ObservabilitySettings(
                service, levels, format, color, tracing, metricExport, logExport, delay, warnings);
    }

    private static Duration delay(String text, List<Warning> warnings) {
        try {
            long millis = text.isEmpty() ? 0 : Long.parseLong(text);
            if (millis >= 0) {
                return Duration.ofMillis(millis);
            }
        } catch (NumberFormatException e) {
            // reported below, like a negative number
        }
        warnings.add(new Warning(
                DELAY,
                DELAY + " must be a whole number of milliseconds, at least 0, not \"" + text
                        + "\"; there is no start-up delay"));
        return Duration.ZERO;
    }
}
