// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe;

import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.LineDropReason;
import dev.porchlight.observe.log.LogStats;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.trace.ExportResult;
import dev.porchlight.observe.trace.SpanDropReason;
import dev.porchlight.observe.trace.TraceStats;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;

/**
 * Metrics about logging and tracing themselves. Every kind of loss has a series from the start, so that alerts can rely
 * on it.
 */
final class SelfMetrics {
    private SelfMetrics() {}

    static void registerTraces(MetricRegistry metrics, TraceStats traces) {
        counter(metrics, "obs_spans_started_total", "Spans started and recorded.", traces::started);
        counter(metrics, "obs_spans_exported_total", "Spans accepted by the collector.", traces::exported);
        metrics.counter("obs_spans_dropped_total")
                .help("Spans lost, by reason.")
                .labels("reason")
                .read(samples -> Stream.of(SpanDropReason.values())
                        .forEach(reason -> samples.sample((double) traces.dropped(reason), reason.label())));
        metrics.counter("obs_export_batches_total")
                .help("Requests to the collector, by result.")
                .labels("result")
                .read(samples -> Stream.of(ExportResult.values())
                        .forEach(result -> samples.sample((double) traces.batches(result), result.label())));
        metrics.summary("obs_export_duration_seconds")
                .help("Duration of requests to the collector.")
                .read(totals -> totals.sample(
                        Stream.of(ExportResult.values())
                                .mapToLong(traces::batches)
                                .sum(),
                        traces.exportNanos() / 1e9));
        metrics.gauge("obs_export_circuit_open")
                .help("1 while the collector is unreachable.")
                .read(() -> traces.circuitOpen() ? 1 : 0);
        queue(metrics, "obs_queue_size", "Items waiting in a queue.", traces::queueSize);
        queue(metrics, "obs_queue_capacity", "Capacity of a queue.", traces::queueCapacity);
    }

    private static void counter(MetricRegistry metrics, String name, String help, DoubleSupplier count) {
        metrics.counter(name).help(help).read(count);
    }

    private static void queue(MetricRegistry metrics, String name, String help, DoubleSupplier spans) {
        metrics.gauge(name).help(help).labels("queue").read(samples -> samples.sample(spans.getAsDouble(), "spans"));
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
