// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.observe;

import dev.porchlight.observe.metrics.MetricExport;
import dev.porchlight.observe.metrics.MetricRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Collects, encodes and sends 5,000 counter series and 5,000 histogram series of 11 buckets, as cumulative OTLP in Protocol
 * Buffers, to the same local collector, which discards them. Each side has five metrics of 1,000 series per type.
 */
@State(Scope.Thread)
public class MetricExports {
    private static final int METRICS = 5;
    private static final int SERIES = 1_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("route");
    private static final AttributeKey<String> METHOD = AttributeKey.stringKey("method");

    private @Nullable DiscardingCollector collector;
    private @Nullable MetricExport ours;
    private @Nullable SdkMeterProvider theirs;

    @Setup
    public void fill() throws IOException {
        var started = new DiscardingCollector();
        collector = started;
        String endpoint = started.endpoint() + "/v1/metrics";
        var registry = new MetricRegistry();
        var provider = SdkMeterProvider.builder()
                .registerMetricReader(PeriodicMetricReader.builder(OtlpHttpMetricExporter.builder()
                                .setEndpoint(endpoint)
                                .build())
                        .setInterval(Duration.ofHours(1))
                        .build())
                .build();
        theirs = provider;
        var meter = provider.get("bench");
        for (int metric = 0; metric < METRICS; metric++) {
            var ourCounter = registry.counter("requests_" + metric + "_total")
                    .help("Requests.")
                    .labels("route", "method")
                    .register();
            var ourHistogram = registry.histogram("duration_" + metric + "_seconds")
                    .help("Durations.")
                    .buckets(LabelSets.BUCKETS)
                    .labels("route", "method")
                    .register();
            var theirCounter = meter.counterBuilder("requests_" + metric)
                    .setDescription("Requests.")
                    .build();
            var theirHistogram = meter.histogramBuilder("duration_" + metric)
                    .setDescription("Durations.")
                    .setExplicitBucketBoundariesAdvice(
                            Arrays.stream(LabelSets.BUCKETS).boxed().toList())
                    .build();
            for (int series = 0; series < SERIES; series++) {
                String route = "/route/" + series;
                Attributes attributes = Attributes.of(ROUTE, route, METHOD, "GET");
                for (double seconds : new double[] {0.003, 0.04, 0.5}) {
                    ourCounter.with(route, "GET").inc();
                    ourHistogram.with(route, "GET").observe(seconds);
                    theirCounter.add(1, attributes);
                    theirHistogram.record(seconds, attributes);
                }
            }
        }
        var environment =
                Map.of("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", endpoint, "OTEL_METRIC_EXPORT_INTERVAL", "3600000");
        ours = MetricExport.open(
                MetricExport.Settings.fromEnvironment("bench", environment, (variable, problem) -> {}),
                registry,
                event -> {});
    }

    @TearDown
    public void close() {
        if (ours != null && ours.stats().dropped() > 0) {
            throw new IllegalStateException(ours.stats().dropped() + " of our points were dropped");
        }
        if (ours != null) {
            ours.close();
        }
        if (theirs != null) {
            theirs.close();
        }
        if (collector != null) {
            collector.close();
        }
    }

    @Benchmark
    public void ours() {
        if (ours == null || !ours.flush(TIMEOUT)) {
            throw new IllegalStateException("our export took too long");
        }
    }

    @Benchmark
    public void openTelemetry() {
        if (theirs == null
                || !theirs.forceFlush()
                        .join(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                        .isSuccess()) {
            throw new IllegalStateException("their export failed");
        }
    }
}
