// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe;

import dev.porchlight.observe.export.DropReason;
import dev.porchlight.observe.export.ExportResult;
import dev.porchlight.observe.export.ExportStats;
import dev.porchlight.observe.export.Signal;
import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.LineDropReason;
import dev.porchlight.observe.log.LogStats;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.trace.Tracer;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Metrics about logging, tracing and exports themselves. Every kind of loss has a series from the start, so that alerts can rely
 * on it.
 */
final class SelfMetrics {
    private SelfMetrics() {}

    static void registerTraces(MetricRegistry metrics, Tracer tracer) {
        metrics.counter("obs_spans_started_total")
                .help("Spans started and recorded.")
                .read(tracer::started);
    }

    static void registerExports(MetricRegistry metrics, Map<Signal, ExportStats> exports) {
        exports.forEach((signal, stats) -> items(metrics, signal, stats));
        metrics.counter("obs_export_batches_total")
                .help("Requests to the collector, by signal and result.")
                .labels("signal", "result")
                .read(samples -> exports.forEach((signal, stats) -> Stream.of(ExportResult.values())
                        .forEach(result ->
                                samples.sample((double) stats.batches(result), signal.label(), result.label()))));
        metrics.summary("obs_export_duration_seconds")
                .help("Duration of requests to the collector, by signal.")
                .labels("signal")
                .read(totals -> exports.forEach((signal, stats) -> totals.sample(
                        Stream.of(ExportResult.values())
                                .mapToLong(stats::batches)
                                .sum(),
                        stats.exportNanos() / 1e9,
                        signal.label())));
        gauge(
                metrics,
                exports,
                "obs_export_circuit_open",
                "1 while the collector is unreachable, by signal.",
                stats -> stats.circuitOpen() ? 1 : 0);
        gauge(
                metrics,
                exports,
                "obs_queue_size",
                "Items waiting in an export queue, by signal.",
                ExportStats::queueSize);
        gauge(
                metrics,
                exports,
                "obs_queue_capacity",
                "Capacity of an export queue, by signal.",
                ExportStats::queueCapacity);
    }

    private static void items(MetricRegistry metrics, Signal signal, ExportStats stats) {
        String name = "obs_" + signal.items().replace(' ', '_');
        String items =
                Character.toUpperCase(signal.items().charAt(0)) + signal.items().substring(1);
        metrics.counter(name + "_exported_total")
                .help(items + " accepted by the collector.")
                .read(stats::exported);
        metrics.counter(name + "_dropped_total")
                .help(items + " lost, by reason.")
                .labels("reason")
                .read(samples -> Stream.of(DropReason.values())
                        .forEach(reason -> samples.sample((double) stats.dropped(reason), reason.label())));
    }

    private static void gauge(
            MetricRegistry metrics,
            Map<Signal, ExportStats> exports,
            String name,
            String help,
            ToDoubleFunction<ExportStats> value) {
        metrics.gauge(name)
                .help(help)
                .labels("signal")
                .read(samples ->
                        exports.forEach((signal, stats) -> samples.sample(value.applyAsDouble(stats), signal.label())));
    }

    static void registerLogs(MetricRegistry metrics, LogStats logs) {
        metrics.counter("obs_log_lines_total")
                .help("Log lines written, by level.")
                .labels("level")
                .read(samples -> Stream.of(Level.values())
                        .forEach(level -> samples.sample((double) logs.written(level), level.label())));
        metrics.counter("obs_log_lines_dropped_total")
                .help("Log lines lost, by level and reason.")
                .labels("level", "reason")
                .read(samples -> {
                    for (Level level : Level.values()) {
                        for (LineDropReason reason : LineDropReason.values()) {
                            samples.sample((double) logs.dropped(level, reason), level.label(), reason.label());
                        }
                    }
                });
    }
}
