// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import dev.porchlight.passkey.data.JsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * Why a request is refused, as {@code application/problem+json}.
 *
 * @param status the HTTP status
 * @param code stable and for machines
 * @param error a sentence for people
 * @param detail more for people, where it helps
 */
record Problem(
        int status, String code, String error, @Nullable String detail) {
    static final Problem UNAUTHENTICATED = of(401, "unauthenticated", "Sign in first");
    /** One shape for every cause, which is in the log and the metrics. */
    static final Problem FAILED = of(401, "authentication_failed", "Authentication failed");

    static final Problem CROSS_SITE = of(403, "cross_site", "Requests from other sites are not accepted here");
    static final Problem METHOD = of(405, "method_not_allowed", "This method is not allowed here");
    static final Problem TOO_LARGE = of(413, "body_too_large", "The request body is too large");
    static final Problem NOT_JSON = of(415, "unsupported_media_type", "The request body must be application/json");
    static final Problem INTERNAL = of(500, "internal_error", "Something went wrong on our side");
    static final Problem UNAVAILABLE =
            of(503, "storage_unavailable", "A service we depend on does not answer; try again in a moment");
    static final Problem FULL =
            of(503, "storage_full", "There is no room left to store anything; try again in a moment");

    static Problem of(int status, String code, String error) {
        return new Problem(status, code, error, null);
    }

    static Problem malformed(String detail) {
        return new Problem(400, "malformed_request", "The request is malformed", detail);
    }

    Answer answer(String correlationId) {
        String json = JsonWriter.object(problem -> {
            problem.text("error", error)
                    .text("code", code)
                    .number("status", status)
                    .text("correlationId", correlationId);
            if (detail != null) {
                problem.text("detail", detail);
            }
        });
        return new Answer(status, "application/problem+json", json);
    }
}
