// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

/** The request methods of routes and labels. All others are one, so that no client can invent label values. */
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

    /** The method of a request line, where case matters. */
    static Method of(String name) {
        return switch (name) {
            case "GET" -> GET;
            case "HEAD" -> HEAD;
            case "POST" -> POST;
            case "PUT" -> PUT;
            case "PATCH" -> PATCH;
            case "DELETE" -> DELETE;
            case "OPTIONS" -> OPTIONS;
            case "CONNECT" -> CONNECT;
            case "TRACE" -> TRACE;
            default -> OTHER;
        };
    }

    /** The value of the label {@code method}. */
    public String label() {
        return this == OTHER ? "_OTHER" : name();
    }
}
