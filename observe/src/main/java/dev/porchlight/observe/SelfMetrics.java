// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe;

import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.LineDropReason;
import dev.porchlight.observe.log.LogStats;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.trace.ExportResult;
import dev.porchlight.observe.trace.SpanDropReason;
import dev.porchlight.observe.trace.TraceStats;
import java.util.stream.Stream;

/** The counts that logs and traces keep of themselves, as metrics. Every kind of loss has a series from the start, for alerts. */
final class SelfMetrics {
    private SelfMetrics() {}

    static void registerTraces(MetricRegistry metrics, TraceStats traces) {
        metrics.counter("obs_spans_started_total")
                .help("Spans started and recorded.")
                .read(traces::started);
        metrics.counter("obs_spans_exported_total")
                .help("Spans the collector has taken.")
                .read(traces::exported);
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
                .help("Requests to the collector and the time they took.")
                .read(totals -> totals.sample(
                        Stream.of(ExportResult.values())
                                .mapToLong(traces::batches)
                                .sum(),
                        traces.exportNanos() / 1e9));
        metrics.gauge("obs_export_circuit_open")
                .help("1 while the collector cannot be reached.")
                .read(() -> traces.circuitOpen() ? 1 : 0);
        metrics.gauge("obs_queue_size")
                .help("What waits in a queue.")
                .labels("queue")
                .read(samples -> samples.sample(traces.queueSize(), "spans"));
        metrics.gauge("obs_queue_capacity")
                .help("What a queue can hold.")
                .labels("queue")
                .read(samples -> samples.sample(traces.queueCapacity(), "spans"));
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
