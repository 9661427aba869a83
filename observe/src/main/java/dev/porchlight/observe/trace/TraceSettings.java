// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import dev.porchlight.observe.export.Signal;
import dev.porchlight.observe.otlp.Environment;
import dev.porchlight.observe.otlp.OtlpSettings;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * The settings of a {@link Tracer}: the exporter, the sampler and the limits of a span. Read from OpenTelemetry's
 * {@code OTEL_*} variables. Immutable.
 */
public final class TraceSettings {
    /** The limits of one span. Anything beyond them is dropped and counted in the span. */
    record Limits(int attributes, int events, int links, int eventAttributes, int linkAttributes, int valueLength) {
        static final int COUNT = 128;
        static final Limits DEFAULT = new Limits(COUNT, COUNT, COUNT, COUNT, COUNT, Integer.MAX_VALUE);
    }

    final OtlpSettings export;
    final Sampler sampler;
    final Limits limits;
    private final String service;
    private final Propagation propagation;

    private TraceSettings(String service, Environment environment) {
        export = OtlpSettings.read(Signal.TRACES, service, environment);
        sampler = sampler(environment);
        limits = limits(environment);
        this.service = Objects.requireNonNull(export.resource().get(OtlpSettings.SERVICE));
        propagation = new Propagation(!environment.value("K_SERVICE").isEmpty());
    }

    /**
     * Reads the settings from the {@code OTEL_*} variables. Tracing is off unless an endpoint or an exporter is set.
     *
     * @param service the service's name, unless the environment has one
     * @param warnings receives the name of each invalid variable, and a sentence about it; its default is used
     */
    public static TraceSettings fromEnvironment(
            String service, Map<String, String> environment, BiConsumer<String, String> warnings) {
        return new TraceSettings(service, new Environment(environment, warnings));
    }

    /**
     * Returns the service's name in traces: {@code OTEL_SERVICE_NAME}, else {@code service.name} in {@code
     * OTEL_RESOURCE_ATTRIBUTES}, else {@code K_SERVICE}, else the default of the program.
     */
    public String serviceName() {
        return service;
    }

    /** Returns the trace headers to honor; Google's are honored only if {@code K_SERVICE} is set. */
    public Propagation propagation() {
        return propagation;
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
        String text = environment.value("OTEL_TRACES_SAMPLER_ARG");
        try {
            double ratio = text.isEmpty() ? 1 : Double.parseDouble(text);
            if (ratio >= 0 && ratio <= 1) {
                return ratio;
            }
        } catch (NumberFormatException e) {
            // reported below, like a number out of range
        }
        environment.warn("OTEL_TRACES_SAMPLER_ARG", "is not a number from 0 to 1; 1 is used");
        return 1;
    }

    private static Limits limits(Environment environment) {
        int most = Integer.MAX_VALUE;
        int all = environment.count(Limits.COUNT, 0, most, "OTEL_ATTRIBUTE_COUNT_LIMIT");
        return new Limits(
                environment.count(all, 0, most, "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT"),
                environment.count(Limits.COUNT, 0, most, "OTEL_SPAN_EVENT_COUNT_LIMIT"),
                environment.count(Limits.COUNT, 0, most, "OTEL_SPAN_LINK_COUNT_LIMIT"),
                environment.count(all, 0, most, "OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT"),
                environment.count(all, 0, most, "OTEL_LINK_ATTRIBUTE_COUNT_LIMIT"),
                environment.count(
                        most, 0, most, "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT"));
    }
}
