// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link Tracer}: the exporter, the sampler and the limits of a span. Read from OpenTelemetry's
 * {@code OTEL_*} variables. Immutable.
 */
public final class TraceSettings {
    private static final String OTLP = "OTEL_EXPORTER_OTLP_";
    private static final String TRACES_ENDPOINT = OTLP + "TRACES_ENDPOINT";
    private static final String BASE_ENDPOINT = OTLP + "ENDPOINT";
    private static final String SERVICE = "service.name";
    private static final int MAX_QUEUE = 1 << 20;

    enum Exporter {
        NONE,
        OTLP,
        CONSOLE
    }

    /** The settings of the OTLP exporter; a timeout of zero means no limit. */
    record Otlp(URI endpoint, boolean json, boolean gzip, Map<String, String> headers, Duration timeout) {
        /** Omits the values of the headers, which may be secrets. */
        @Override
        public String toString() {
            return "Otlp[endpoint=" + endpoint + ", json=" + json + ", gzip=" + gzip + ", headers=" + headers.keySet()
                    + ", timeout=" + timeout + "]";
        }
    }

    /** The limits of one span. Anything beyond them is dropped and counted in the span. */
    record Limits(int attributes, int events, int links, int eventAttributes, int linkAttributes, int valueLength) {
        static final int COUNT = 128;
        static final Limits DEFAULT = new Limits(COUNT, COUNT, COUNT, COUNT, COUNT, Integer.MAX_VALUE);
    }

    /** The settings of batching; an export timeout of zero means no limit. */
    record Batching(int queueSize, int batchSize, Duration delay, Duration exportTimeout) {}

    final Exporter exporter;
    final @Nullable Otlp otlp;
    final Sampler sampler;
    final Limits limits;
    final Batching batching;
    final Attributes resource;
    private final String service;
    private final Propagation propagation;

    private TraceSettings(String service, Environment environment) {
        Exporter chosen = exporter(environment);
        otlp = chosen == Exporter.OTLP ? otlp(environment) : null;
        exporter = chosen == Exporter.OTLP && otlp == null ? Exporter.NONE : chosen;
        sampler = sampler(environment);
        limits = limits(environment);
        batching = batching(environment);
        Map<String, Object> attributes = resource(service, environment);
        resource = Attributes.of(attributes);
        this.service = String.valueOf(attributes.get(SERVICE));
        propagation = new Propagation(onGoogleCloud(environment));
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

    /** Returns the time limit per request: the shorter of the exporter's and the batching's limit; zero means no limit. */
    long requestLimitNanos() {
        long batch = batching.exportTimeout().toNanos();
        long request = otlp == null ? 0 : otlp.timeout().toNanos();
        return batch == 0 || request == 0 ? Math.max(batch, request) : Math.min(batch, request);
    }

    /**
     * Returns the exporter: none, unless an exporter or an endpoint is set. OpenTelemetry's default is localhost, so a
     * service without a collector would report failures forever.
     */
    private static Exporter exporter(Environment environment) {
        if (environment.flag("OTEL_SDK_DISABLED")) {
            return Exporter.NONE;
        }
        boolean hasEndpoint = environment.firstSet(TRACES_ENDPOINT, BASE_ENDPOINT) != null;
        return environment.choice(
                hasEndpoint ? Exporter.OTLP : Exporter.NONE,
                Map.of("none", Exporter.NONE, "otlp", Exporter.OTLP, "console", Exporter.CONSOLE),
                "OTEL_TRACES_EXPORTER");
    }

    /** Returns the exporter's settings, or null if the endpoint is invalid. Variables with {@code TRACES} in their name win. */
    private static @Nullable Otlp otlp(Environment environment) {
        URI endpoint = endpoint(environment);
        if (endpoint == null) {
            return null;
        }
        return new Otlp(
                endpoint,
                environment.choice(
                        false,
                        Map.of("http/json", true, "http/protobuf", false),
                        OTLP + "TRACES_PROTOCOL",
                        OTLP + "PROTOCOL"),
                environment.choice(
                        false, Map.of("gzip", true, "none", false), OTLP + "TRACES_COMPRESSION", OTLP + "COMPRESSION"),
                headers(environment, endpoint),
                environment.millis(10_000, OTLP + "TRACES_TIMEOUT", OTLP + "TIMEOUT"));
    }

    private static @Nullable URI endpoint(Environment environment) {
        String name = environment.firstSet(TRACES_ENDPOINT, BASE_ENDPOINT);
        try {
            URI uri = new URI(name == null ? "http://localhost:4318" : environment.value(name));
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            if (uri.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
                return withPath(uri, TRACES_ENDPOINT.equals(name));
            }
        } catch (URISyntaxException e) {
            // reported below, like a URL without a host
        }
        environment.warn(name == null ? BASE_ENDPOINT : name, "is not an http or https URL; spans are not sent");
        return null;
    }

    /** Returns the URL itself if it is a complete endpoint, or with {@code v1/traces} appended if it is a base URL. */
    private static URI withPath(URI uri, boolean complete) throws URISyntaxException {
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        String full = path.isEmpty() || !complete && !path.endsWith("/") ? path + "/" : path;
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return new URI(uri.getScheme() + "://" + uri.getRawAuthority() + full + (complete ? "" : "v1/traces") + query);
    }

    private static Map<String, String> headers(Environment environment, URI endpoint) {
        String name = environment.firstSet(OTLP + "TRACES_HEADERS", OTLP + "HEADERS");
        Map<String, String> headers = name == null ? Map.of() : environment.pairs(name);
        try {
            if (headers != null) {
                headers.forEach(HttpRequest.newBuilder(endpoint)::setHeader);
                return headers;
            }
        } catch (IllegalArgumentException e) {
            // the client refuses some names, such as Host, and control characters; reported below
        }
        environment.warn(String.valueOf(name), "is not a list of header=value with percent-encoding and is ignored");
        return Map.of();
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

    private static Batching batching(Environment environment) {
        int queue = environment.count(2048, 1, MAX_QUEUE, "OTEL_BSP_MAX_QUEUE_SIZE");
        int batch = environment.count(Math.min(512, queue), 1, queue, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE");
        return new Batching(
                queue,
                batch,
                environment.millis(5000, "OTEL_BSP_SCHEDULE_DELAY"),
                environment.millis(30000, "OTEL_BSP_EXPORT_TIMEOUT"));
    }

    private static Map<String, Object> resource(String defaultName, Environment environment) {
        Map<String, Object> resource = new LinkedHashMap<>();
        resource.put(SERVICE, onGoogleCloud(environment) ? environment.value("K_SERVICE") : defaultName);
        Map<String, String> listed = environment.pairs("OTEL_RESOURCE_ATTRIBUTES");
        if (listed == null) {
            environment.warn("OTEL_RESOURCE_ATTRIBUTES", "is not a list of k=v with percent-encoding and is ignored");
        } else {
            listed.forEach((key, value) -> {
                if (!key.equals(SERVICE) || !value.isBlank()) {
                    resource.put(key, value);
                }
            });
        }
        if (!environment.value("OTEL_SERVICE_NAME").isEmpty()) {
            resource.put(SERVICE, environment.value("OTEL_SERVICE_NAME"));
        }
        resource.put("telemetry.sdk.name", "porchlight");
        resource.put("telemetry.sdk.language", "java");
        resource.put("telemetry.sdk.version", LibraryVersion.TEXT);
        return resource;
    }

    private static boolean onGoogleCloud(Environment environment) {
        return !environment.value("K_SERVICE").isEmpty();
    }
}
