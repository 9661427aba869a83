// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.otlp;

import dev.porchlight.observe.export.Signal;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How one signal is exported. Read from OpenTelemetry's {@code OTEL_*} variables, where the variables of a signal win over
 * the general ones.
 *
 * @param endpoint the collector, unless the exporter is another one
 * @param resource the attributes of the service
 */
public record OtlpSettings(
        Signal signal,
        Exporter exporter,
        @Nullable Endpoint endpoint,
        Batching batching,
        Map<String, String> resource) {
    public static final String SERVICE = "service.name";

    private static final String OTLP = "OTEL_EXPORTER_OTLP_";
    /** OpenTelemetry's default name for a service without one. */
    private static final String UNNAMED = "unknown_service:java";

    private static final int MAX_QUEUE = 1 << 20;

    /** Where the items are sent. */
    public enum Exporter {
        NONE,
        OTLP,
        CONSOLE
    }

    /** A collector; a timeout of zero means no limit. */
    public record Endpoint(URI uri, boolean json, boolean gzip, Map<String, String> headers, Duration timeout) {
        /** Omits the values of the headers, which may be secrets. */
        @Override
        public String toString() {
            return "Endpoint[uri=" + uri + ", json=" + json + ", gzip=" + gzip + ", headers=" + headers.keySet()
                    + ", timeout=" + timeout + "]";
        }
    }

    /** The settings of batching; an export timeout of zero means no limit. */
    public record Batching(int queueSize, int batchSize, Duration delay, Duration exportTimeout) {}

    /** Reads the settings of a signal of {@code service}, which is the default of the service's name. */
    public static OtlpSettings read(Signal signal, String service, Environment environment) {
        Exporter chosen = exporter(signal, environment);
        Endpoint endpoint = chosen == Exporter.OTLP ? endpoint(signal, environment) : null;
        return new OtlpSettings(
                signal,
                chosen == Exporter.OTLP && endpoint == null ? Exporter.NONE : chosen,
                endpoint,
                batching(signal, environment),
                resource(service, environment));
    }

    /** Returns the time limit per request: the shorter of the exporter's and the batching's limit; zero means no limit. */
    public long requestLimitNanos() {
        long batch = batching.exportTimeout().toNanos();
        long request = endpoint == null ? 0 : endpoint.timeout().toNanos();
        return batch == 0 || request == 0 ? Math.max(batch, request) : Math.min(batch, request);
    }

    /** Returns where the items are sent, without what may be secret in a URL. */
    String target() {
        if (endpoint == null) {
            return exporter.toString().toLowerCase(Locale.ROOT);
        }
        URI uri = endpoint.uri();
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        return uri.getScheme() + "://" + uri.getHost() + port + uri.getRawPath();
    }

    /** Returns the sender of the chosen exporter, or null if there is none. */
    public <T> @Nullable Sender<T> sender(OtlpEncoder.ItemWriter<T> items, ExportTime time) {
        KeyValues attributes = KeyValues.of(resource);
        if (endpoint != null) {
            return new OtlpSender<>(
                    endpoint,
                    new OtlpEncoder<>(signal, attributes, endpoint.json(), items),
                    time,
                    OtlpSender.MAX_REQUEST);
        }
        return exporter == Exporter.CONSOLE
                ? new ConsoleSender<>(System.out, new OtlpEncoder<>(signal, attributes, true, items))
                : null;
    }

    /**
     * Returns the exporter. Spans are sent if any endpoint is set; metrics and logs, which also have other ways out, only
     * if their own endpoint or exporter is set. OpenTelemetry's default is localhost, so a service without a collector
     * would report failures forever.
     */
    private static Exporter exporter(Signal signal, Environment environment) {
        if (environment.flag("OTEL_SDK_DISABLED")) {
            return Exporter.NONE;
        }
        String own = OTLP + signal + "_ENDPOINT";
        String endpoint =
                signal == Signal.TRACES ? environment.firstSet(own, OTLP + "ENDPOINT") : environment.firstSet(own);
        Map<String, Exporter> choices = new LinkedHashMap<>();
        choices.put("none", Exporter.NONE);
        choices.put("otlp", Exporter.OTLP);
        choices.put("console", Exporter.CONSOLE);
        if (signal == Signal.METRICS) { // they can be scraped anyway
            choices.put("prometheus", Exporter.NONE);
            choices.put("otlp,prometheus", Exporter.OTLP);
            choices.put("prometheus,otlp", Exporter.OTLP);
        }
        return environment.choice(
                endpoint == null ? Exporter.NONE : Exporter.OTLP, choices, "OTEL_" + signal + "_EXPORTER");
    }

    /** Returns the collector, or null if its URL is invalid. */
    private static @Nullable Endpoint endpoint(Signal signal, Environment environment) {
        String own = OTLP + signal + "_";
        URI uri = uri(signal, environment);
        if (uri == null) {
            return null;
        }
        return new Endpoint(
                uri,
                environment.choice(
                        false, Map.of("http/json", true, "http/protobuf", false), own + "PROTOCOL", OTLP + "PROTOCOL"),
                environment.choice(
                        false, Map.of("gzip", true, "none", false), own + "COMPRESSION", OTLP + "COMPRESSION"),
                headers(environment, uri, own + "HEADERS"),
                environment.millis(10_000, own + "TIMEOUT", OTLP + "TIMEOUT"));
    }

    private static @Nullable URI uri(Signal signal, Environment environment) {
        String own = OTLP + signal + "_ENDPOINT";
        String name = environment.firstSet(own, OTLP + "ENDPOINT");
        try {
            URI uri = new URI(name == null ? "http://localhost:4318" : environment.value(name));
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            if (uri.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
                return withPath(uri, own.equals(name) ? "" : "v1/" + signal.label());
            }
        } catch (URISyntaxException e) {
            // reported below, like a URL without a host
        }
        environment.warn(
                name == null ? OTLP + "ENDPOINT" : name,
                "is not an http or https URL; " + signal.items() + " are not sent");
        return null;
    }

    /** Returns the URL itself if it is a complete endpoint, without {@code added}, or with it appended to a base URL. */
    private static URI withPath(URI uri, String added) throws URISyntaxException {
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        String full = path.isEmpty() || !added.isEmpty() && !path.endsWith("/") ? path + "/" : path;
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return new URI(uri.getScheme() + "://" + uri.getRawAuthority() + full + added + query);
    }

    private static Map<String, String> headers(Environment environment, URI endpoint, String own) {
        String name = environment.firstSet(own, OTLP + "HEADERS");
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

    private static Batching batching(Signal signal, Environment environment) {
        if (signal == Signal.METRICS) { // all of them, once per interval
            return new Batching(
                    0,
                    Integer.MAX_VALUE,
                    environment.millis(60_000, "OTEL_METRIC_EXPORT_INTERVAL"),
                    environment.millis(30_000, "OTEL_METRIC_EXPORT_TIMEOUT"));
        }
        String prefix = signal == Signal.TRACES ? "OTEL_BSP_" : "OTEL_BLRP_";
        int queue = environment.count(2048, 1, MAX_QUEUE, prefix + "MAX_QUEUE_SIZE");
        int batch = environment.count(Math.min(512, queue), 1, queue, prefix + "MAX_EXPORT_BATCH_SIZE");
        return new Batching(
                queue,
                batch,
                environment.millis(signal == Signal.TRACES ? 5_000 : 1_000, prefix + "SCHEDULE_DELAY"),
                environment.millis(30_000, prefix + "EXPORT_TIMEOUT"));
    }

    private static Map<String, String> resource(@Nullable String defaultName, Environment environment) {
        Map<String, String> resource = new LinkedHashMap<>();
        String cloud = environment.value("K_SERVICE");
        resource.put(SERVICE, cloud.isEmpty() ? Objects.requireNonNullElse(defaultName, UNNAMED) : cloud);
        Map<String, String> listed = environment.pairs("OTEL_RESOURCE_ATTRIBUTES");
        if (listed != null) {
            listed.forEach((key, value) -> {
                if (!key.equals(SERVICE) || !value.isBlank()) {
                    resource.put(key, value);
                }
            });
        } else {
            environment.warn("OTEL_RESOURCE_ATTRIBUTES", "is not a list of k=v with percent-encoding and is ignored");
        }
        if (!environment.value("OTEL_SERVICE_NAME").isEmpty()) {
            resource.put(SERVICE, environment.value("OTEL_SERVICE_NAME"));
        }
        resource.put("telemetry.sdk.name", "porchlight");
        resource.put("telemetry.sdk.language", "java");
        resource.put("telemetry.sdk.version", LibraryVersion.TEXT);
        return resource;
    }
}
