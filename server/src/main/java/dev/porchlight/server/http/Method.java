// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import static java.util.stream.Collectors.toUnmodifiableMap;

import java.util.Map;
import java.util.stream.Stream;

/** The request methods of routes and labels. All others map to one constant, so that clients cannot create label values. */
public enum Method {
    GET,
    HEAD,
    POST,
    PUT,
    PATCH,
    DELETE,
    OPTIONS,
    CONNECT,
    TRACE,
    OTHER;

    private static final Map<String, Method> BY_NAME =
            Stream.of(values()).collect(toUnmodifiableMap(Enum::name, method -> method));

    /** Returns the method of a request line, which is case-sensitive. */
    static Method of(String name) {
        return BY_NAME.getOrDefault(name, OTHER);
    }

    /** The value of the label {@code method}. */
    public String label() {
        return this == OTHER ? "_OTHER" : name();
    }
}
