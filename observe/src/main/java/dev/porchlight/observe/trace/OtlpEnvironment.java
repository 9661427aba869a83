// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the {@code OTEL_EXPORTER_OTLP_*} variables; those with {@code TRACES} in their name win over the general ones. */
final class OtlpEnvironment {
    private static final String PREFIX = "OTEL_EXPORTER_OTLP_";
    private static final String TRACES_ENDPOINT = PREFIX + "TRACES_ENDPOINT";
    private static final String BASE_ENDPOINT = PREFIX + "ENDPOINT";
    private static final String DEFAULT_BASE = "http://localhost:4318";

    private OtlpEnvironment() {}

    static boolean hasEndpoint(Environment environment) {
        return environment.set(TRACES_ENDPOINT, BASE_ENDPOINT) != null;
    }

    /** The settings, or null when the endpoint cannot be understood. */
    static @Nullable OtlpSettings read(Environment environment) {
        URI endpoint = endpoint(environment);
        if (endpoint == null) {
            return null;
        }
        Duration timeout = environment.millis(10_000, PREFIX + "TRACES_TIMEOUT", PREFIX + "TIMEOUT");
        return new OtlpSettings(
                endpoint, json(environment), gzip(environment), headers(environment, endpoint), timeout);
    }

    private static @Nullable URI endpoint(Environment environment) {
        String name = environment.set(TRACES_ENDPOINT, BASE_ENDPOINT);
        String text = environment.text(TRACES_ENDPOINT, BASE_ENDPOINT);
        try {
            URI uri = new URI(text == null ? DEFAULT_BASE : text);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            if (uri.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
                return TRACES_ENDPOINT.equals(name) ? asIs(uri) : below(uri);
            }
        } catch (URISyntaxException e) {
            // told below, like an address without a host
        }
        environment.warn(name == null ? BASE_ENDPOINT : name, "is no http or https address; spans are not sent");
        return null;
    }

    private static URI asIs(URI uri) throws URISyntaxException {
        String path = uri.getRawPath();
        return path == null || path.isEmpty() ? withPath(uri, "/") : uri;
    }

    private static URI below(URI base) throws URISyntaxException {
        String path = base.getRawPath() == null ? "" : base.getRawPath();
        return withPath(base, (path.endsWith("/") ? path : path + "/") + "v1/traces");
    }

    private static URI withPath(URI uri, String rawPath) throws URISyntaxException {
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return new URI(uri.getScheme() + "://" + uri.getRawAuthority() + rawPath + query);
    }

    private static boolean json(Environment environment) {
        Map<String, Boolean> protocols = Map.of("http/json", true, "http/protobuf", false);
        return environment.choice(false, protocols, PREFIX + "TRACES_PROTOCOL", PREFIX + "PROTOCOL");
    }

    private static boolean gzip(Environment environment) {
        Map<String, Boolean> compressions = Map.of("gzip", true, "none", false);
        return environment.choice(false, compressions, PREFIX + "TRACES_COMPRESSION", PREFIX + "COMPRESSION");
    }

    private static Map<String, String> headers(Environment environment, URI endpoint) {
        String name = environment.set(PREFIX + "TRACES_HEADERS", PREFIX + "HEADERS");
        if (name == null) {
            return Map.of();
        }
        Map<String, String> headers = KeyValueList.parse(String.valueOf(environment.text(name)));
        if (headers == null || !sendable(headers, endpoint)) {
            environment.warn(name, "is not a list of header=value with percent-encoding and is ignored");
            return Map.of();
        }
        return headers;
    }

    /** Whether the client takes these headers: it refuses some names, such as Host, and control characters in values. */
    private static boolean sendable(Map<String, String> headers, URI endpoint) {
        try {
            headers.forEach(HttpRequest.newBuilder(endpoint)::setHeader);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
