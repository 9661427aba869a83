// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything the environment says about tracing.
 *
 * @param exporter where spans go
 * @param otlp how they get there, when they go to a collector
 * @param sampler which are recorded
 * @param limits how much each may hold
 * @param batching how they are gathered
 * @param resource who they are from
 */
record TraceSettings(
        Exporter exporter,
        @Nullable OtlpSettings otlp,
        Sampler sampler,
        SpanLimits limits,
        Batching batching,
        Attributes resource) {
    enum Exporter {
        NONE,
        OTLP,
        CONSOLE
    }

    private static final int MAX_QUEUE = 1 << 20;

    static TraceSettings read(Environment environment) {
        Exporter exporter = exporter(environment);
        OtlpSettings otlp = exporter == Exporter.OTLP ? OtlpEnvironment.read(environment) : null;
        if (exporter == Exporter.OTLP && otlp == null) {
            exporter = Exporter.NONE;
        }
        return new TraceSettings(
                exporter,
                otlp,
                sampler(environment),
                limits(environment),
                batching(environment),
                resource(environment));
    }

    /** The longest one request may take: the shorter of the exporter's and the batching's limit; zero is no limit. */
    long requestLimitNanos() {
        long batch = batching.exportTimeout().toNanos();
        long request = otlp == null ? 0 : otlp.timeout().toNanos();
        return batch == 0 || request == 0 ? Math.max(batch, request) : Math.min(batch, request);
    }

    /**
     * None, unless asked for by name or by an endpoint. OpenTelemetry would send to localhost by default; a service
     * without a collector would then report a failure for ever.
     */
    private static Exporter exporter(Environment environment) {
        if (environment.flag("OTEL_SDK_DISABLED")) {
            return Exporter.NONE;
        }
        Exporter fallback = OtlpEnvironment.hasEndpoint(environment) ? Exporter.OTLP : Exporter.NONE;
        return environment.choice(
                fallback,
                Map.of("none", Exporter.NONE, "otlp", Exporter.OTLP, "console", Exporter.CONSOLE),
                "OTEL_TRACES_EXPORTER");
    }

    private static Sampler sampler(Environment environment) {
        Supplier<Sampler> fallback = () -> Sampler.parentBased(Sampler.ALWAYS_ON);
        Map<String, Supplier<Sampler>> samplers = Map.of(
                "always_on", () -> Sampler.ALWAYS_ON,
                "always_off", () -> Sampler.ALWAYS_OFF,
                "traceidratio", () -> Sampler.ratio(ratio(environment)),
                "parentbased_always_on", fallback,
                "parentbased_always_off", () -> Sampler.parentBased(Sampler.ALWAYS_OFF),
                "parentbased_traceidratio", () -> Sampler.parentBased(Sampler.ratio(ratio(environment))));
        return environment.choice(fallback, samplers, "OTEL_TRACES_SAMPLER").get();
    }

    private static double ratio(Environment environment) {
        String text = environment.text("OTEL_TRACES_SAMPLER_ARG");
        if (text == null) {
            return 1;
        }
        try {
            double ratio = Double.parseDouble(text);
            if (ratio >= 0 && ratio <= 1) {
                return ratio;
            }
        } catch (NumberFormatException e) {
            // told below, like a number out of range
        }
        environment.warn("OTEL_TRACES_SAMPLER_ARG", "is not a number from 0 to 1; 1 is used");
        return 1;
    }

    private static SpanLimits limits(Environment environment) {
        int most = Integer.MAX_VALUE;
        int all = environment.count(SpanLimits.COUNT, 0, most, "OTEL_ATTRIBUTE_COUNT_LIMIT");
        return new SpanLimits(
                environment.count(all, 0, most, "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT"),
                environment.count(SpanLimits.COUNT, 0, most, "OTEL_SPAN_EVENT_COUNT_LIMIT"),
                environment.count(SpanLimits.COUNT, 0, most, "OTEL_SPAN_LINK_COUNT_LIMIT"),
                environment.count(all, 0, most, "OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT"),
                environment.count(all, 0, most, "OTEL_LINK_ATTRIBUTE_COUNT_LIMIT"),
                environment.count(
                        most, 0, most, "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT"));
    }

    private static Batching batching(Environment environment) {
        int queue = environment.count(2048, 1, MAX_QUEUE, "OTEL_BSP_MAX_QUEUE_SIZE");
        int batch = environment.count(Math.min(512, queue), 1, queue, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE");
        return new Batching(
                queue,
                batch,
                environment.millis(5000, "OTEL_BSP_SCHEDULE_DELAY"),
                environment.millis(30000, "OTEL_BSP_EXPORT_TIMEOUT"));
    }

    private static Attributes resource(Environment environment) {
        Map<String, Object> resource = new LinkedHashMap<>();
        resource.put("service.name", "unknown_service:java");
        String listed = environment.text("OTEL_RESOURCE_ATTRIBUTES");
        Map<String, String> pairs = listed == null ? Map.of() : KeyValueList.parse(listed);
        if (pairs == null) {
            environment.warn("OTEL_RESOURCE_ATTRIBUTES", "is not a list of k=v with percent-encoding and is ignored");
        } else {
            resource.putAll(pairs);
        }
        String service = environment.text("OTEL_SERVICE_NAME");
        if (service != null) {
            resource.put("service.name", service);
        }
        resource.put("telemetry.sdk.name", "porchlight");
        resource.put("telemetry.sdk.language", "java");
        resource.put("telemetry.sdk.version", Version.TEXT);
        return Attributes.of(resource);
    }
}
