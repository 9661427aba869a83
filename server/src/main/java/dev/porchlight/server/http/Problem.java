// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.base.CommonProblem;
import dev.porchlight.base.JsonWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The reason for a refusal or failure, as {@code application/problem+json}.
 *
 * @param status the HTTP status, 400 to 599
 * @param code a stable code for programs, such as {@code not_found}
 * @param error a message for people, in sentences
 * @param detail further information for people, with a full stop at its end; or null
 */
public record Problem(
        int status, String code, String error, @Nullable String detail) {
    public static final Problem NOT_FOUND = of(404, "not_found", "This URL does not exist.");
    /** The access that a request was authenticated with has ended since. */
    public static final Problem SIGNED_OUT =
            of(401, "unauthenticated", "Your sign-in has ended. Sign in again, or send a valid token.");

    static final Problem METHOD_NOT_ALLOWED = of(CommonProblem.METHOD_NOT_ALLOWED);
    static final Problem TOO_SLOW = of(408, "request_timeout", "The request arrived too slowly.");
    static final Problem TOO_LARGE = of(CommonProblem.BODY_TOO_LARGE);
    static final Problem NOT_JSON = of(CommonProblem.NOT_JSON);
    static final Problem NOT_FORM =
            of(415, "unsupported_media_type", "The request body must be application/x-www-form-urlencoded.");
    static final Problem UNAVAILABLE = of(CommonProblem.STORAGE_UNAVAILABLE);
    static final Problem FULL = of(CommonProblem.STORAGE_FULL);
    static final Problem INTERNAL = of(CommonProblem.INTERNAL_ERROR);
    static final Problem SHUTTING_DOWN = of(503, "shutting_down", "The service is shutting down.");

    /** Most outages are short. */
    private static final String RETRY_SECONDS = "1";

    public Problem {
        if (status < 400 || status > 599) {
            throw new IllegalArgumentException("not an error status: " + status);
        }
    }

    public static Problem of(int status, String code, String error) {
        return new Problem(status, code, error, null);
    }

    public static Problem of(CommonProblem problem) {
        return of(problem.status(), problem.code(), problem.error());
    }

    /** Returns this problem with a detail for people. */
    public Problem withDetail(String more) {
        return new Problem(status, code, error, more);
    }

    /** A request that cannot be parsed. */
    public static Problem malformed(String detail) {
        return of(CommonProblem.MALFORMED_REQUEST).withDetail(detail);
    }

    /** The response for the request with this correlation id. */
    public Response response(String correlationId) {
        String json = JsonWriter.object(problem -> problem.text("error", error)
                .text("code", code)
                .number("status", status)
                .text("correlationId", correlationId)
                .optionalText("detail", detail));
        Response response = Response.of(status, "application/problem+json", json.getBytes(StandardCharsets.UTF_8))
                .with("Cache-Control", "no-store");
        return status == 503 ? response.with("Retry-After", RETRY_SECONDS) : response;
    }
}
