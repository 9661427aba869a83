// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import static dev.porchlight.server.config.Setting.parsed;

import java.util.List;
import java.util.Optional;

/** Settings whose values the observe module reads, in the order of the documentation. */
final class TelemetrySettings {
    static final List<Setting<?>> ALL = List.of(
            text("GOOGLE_CLOUD_PROJECT", "project of the trace ids in log lines"),
            text("OTEL_SERVICE_NAME", "name of this service in traces, metrics and logs")
                    .withDefault("K_SERVICE, or porchlight", ConfigReader::serviceName),
            url(
                            "OTEL_EXPORTER_OTLP_ENDPOINT",
                            "base URL of the collector, such as http://localhost:4318",
                            "no traces are sent")
                    .withFix("export OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318"),
            text("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf or http/json").withDefault("http/protobuf"),
            text("OTEL_EXPORTER_OTLP_HEADERS", "headers for the collector, as name=value,name=value")
                    .asSecret(),
            text(
                            "OTEL_METRICS_EXPORTER",
                            "otlp also sends metrics to the collector; prometheus or none leaves them to scrapes")
                    .withDefault("prometheus"),
            url(
                    "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
                    "complete URL for metrics, if it differs; also sends them",
                    "the base URL and /v1/metrics"),
            text("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "cumulative, delta or lowmemory")
                    .withDefault("cumulative"),
            text(
                            "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION",
                            "explicit_bucket_histogram or base2_exponential_bucket_histogram")
                    .withDefault("explicit_bucket_histogram"),
            text("OTEL_METRIC_EXPORT_INTERVAL", "milliseconds between two exports of metrics")
                    .withDefault("60000"),
            text("OTEL_METRICS_EXEMPLAR_FILTER", "values that become exemplars: trace_based, always_on or always_off")
                    .withDefault("trace_based"),
            text("OTEL_LOGS_EXPORTER", "otlp also sends log lines to the collector")
                    .withDefault("none"),
            url(
                    "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT",
                    "complete URL for log lines, if it differs; also sends them",
                    "the base URL and /v1/logs"),
            text("OTEL_TRACES_SAMPLER", "sampler for traces").withDefault("parentbased_always_on"),
            text("OTEL_TRACES_SAMPLER_ARG", "ratio of recorded traces, for the ratio samplers")
                    .withDefault("1.0"),
            text(
                    "OTEL_RESOURCE_ATTRIBUTES",
                    "attributes of this service in traces, metrics and logs, as name=value,name=value"),
            text("OTEL_SDK_DISABLED", "true sends nothing to the collector").withDefault("false"));

    private TelemetrySettings() {}

    static Setting<Optional<String>> text(String name, String purpose) {
        return parsed(name, text -> text).purpose(purpose).optional("");
    }

    private static Setting<Optional<String>> url(String name, String purpose, String effect) {
        return parsed(name, Parsers::webAddress).purpose(purpose).optional(effect);
    }
}
