// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe;

import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.LogStats;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.observe.metrics.Samples;
import dev.porchlight.observe.trace.DropReason;
import dev.porchlight.observe.trace.ExportResult;
import dev.porchlight.observe.trace.TraceStats;

/**
 * What logs and traces count of themselves, as metrics: every loss has a series that says so, from the start, so that an
 * alert can rest on it. Metrics count themselves.
 */
final class SelfMetrics {
    private final TraceStats traces;
    private final LogStats logs;

    private SelfMetrics(TraceStats traces, LogStats logs) {
        this.traces = traces;
        this.logs = logs;
    }

    static void register(MetricRegistry metrics, TraceStats traces, LogStats logs) {
        SelfMetrics self = new SelfMetrics(traces, logs);
        metrics.callbackCounter("obs_spans_started_total", "Spans started and recorded.", traces::started);
        metrics.callbackCounter("obs_spans_exported_total", "Spans the collector has taken.", traces::exported);
        metrics.callbackCounter("obs_spans_dropped_total", "Spans lost, by reason.", self::spansDropped, "reason");
        metrics.callbackCounter(
                "obs_export_batches_total", "Requests to the collector, by result.", self::batches, "result");
        metrics.callbackSummary(
                "obs_export_duration_seconds",
                "Requests to the collector and the time they took.",
                totals -> totals.sample(self.requests(), traces.exportNanos() / 1e9));
        metrics.callbackGauge(
                "obs_export_circuit_open",
                "1 while the collector cannot be reached.",
                () -> traces.circuitOpen() ? 1 : 0);
        metrics.callbackGauge(
                "obs_queue_size",
                "What waits in a queue.",
                samples -> samples.sample(traces.queueSize(), "spans"),
                "queue");
        metrics.callbackGauge(
                "obs_queue_capacity",
                "What a queue can hold.",
                samples -> samples.sample(traces.queueCapacity(), "spans"),
                "queue");
        metrics.callbackCounter("obs_log_lines_total", "Log lines written, by level.", self::lines, "level");
        metrics.callbackCounter(
                "obs_log_lines_dropped_total",
                "Log lines lost, by level and reason.",
                self::linesDropped,
                "level",
                "reason");
    }

    private void spansDropped(Samples samples) {
        for (DropReason reason : DropReason.values()) {
            samples.sample((double) traces.dropped(reason), reason.label());
        }
    }

    private void batches(Samples samples) {
        for (ExportResult result : ExportResult.values()) {
            samples.sample((double) traces.batches(result), result.label());
        }
    }

    private long requests() {
        long sum = 0;
        for (ExportResult result : ExportResult.values()) {
            sum += traces.batches(result);
        }
        return sum;
    }

    private void lines(Samples samples) {
        for (Level level : Level.values()) {
            samples.sample((double) logs.written(level), level.label());
        }
    }

    private void linesDropped(Samples samples) {
        for (Level level : Level.values()) {
            for (var reason : dev.porchlight.observe.log.DropReason.values()) {
                samples.sample((double) logs.dropped(level, reason), level.label(), reason.label());
            }
        }
    }
}
