// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The service's name in traces: {@code OTEL_SERVICE_NAME}, else {@code service.name} among
 * {@code OTEL_RESOURCE_ATTRIBUTES}, else {@code K_SERVICE}, else the program's own.
 */
public final class ServiceName {
    private static final String VARIABLE = "OTEL_SERVICE_NAME";
    private static final String ATTRIBUTE = "service.name";

    private ServiceName() {}

    /** The name in force in an environment, for a program that calls itself {@code programsOwn}. */
    public static String of(String programsOwn, Map<String, String> environment) {
        String[] candidates = {
            environment.getOrDefault(VARIABLE, ""),
            attribute(environment.getOrDefault("OTEL_RESOURCE_ATTRIBUTES", "")),
            environment.getOrDefault("K_SERVICE", "")
        };
        for (String candidate : candidates) {
            if (!candidate.isBlank()) {
                return candidate.strip();
            }
        }
        return programsOwn;
    }

    /** The environment with the name spelled out, for those who would choose another default. */
    static Map<String, String> named(String service, Map<String, String> environment) {
        Map<String, String> named = new HashMap<>(environment);
        named.put(VARIABLE, service);
        return named;
    }

    private static String attribute(String attributes) {
        for (String pair : attributes.split(",", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0 && pair.substring(0, equals).strip().equals(ATTRIBUTE)) {
                return decoded(pair.substring(equals + 1));
            }
        }
        return "";
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return ""; // the tracer says so, since it ignores the whole list then
        }
    }
}
