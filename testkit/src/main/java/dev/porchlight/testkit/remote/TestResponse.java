// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.remote;

import dev.porchlight.testkit.wire.JsonException;
import dev.porchlight.testkit.wire.JsonObject;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A response of a service, with assertions. */
public record TestResponse(int status, HttpHeaders headers, String body) {
    private static final Set<String> PROBLEM = Set.of("error", "code", "status", "correlationId");

    /**
     * A response as it was received.
     *
     * @param head the status line and headers, each line terminated by CRLF
     * @throws NumberFormatException if the status is not a number
     */
    public static TestResponse parse(String head, String body) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int line = end(head, 0); line < head.length(); line = end(head, line)) {
            int colon = head.indexOf(':', line);
            int end = end(head, line);
            if (colon > line && colon < end) {
                headers.computeIfAbsent(head.substring(line, colon).strip(), name -> new ArrayList<>(1))
                        .add(head.substring(colon + 1, end).strip());
            }
        }
        return new TestResponse(
                Integer.parseInt(head.substring(9, 12)), HttpHeaders.of(headers, (name, value) -> true), body);
    }

    /** The index after the line that begins here. */
    private static int end(String head, int begin) {
        int end = head.indexOf('\n', begin);
        return end < 0 ? head.length() : end + 1;
    }

    /** A connection that was closed without a response: status 0. */
    public static TestResponse none() {
        return new TestResponse(0, HttpHeaders.of(Map.of(), (name, value) -> true), "");
    }

    public TestResponse withBody(String other) {
        return new TestResponse(status, headers, other);
    }

    /** Whether the status is 2xx. */
    public boolean ok() {
        return status / 100 == 2;
    }

    /** Whether the service asks the client to retry later. */
    public boolean later() {
        return status == 429 || status == 503;
    }

    public JsonObject json() {
        return JsonObject.parse(body);
    }

    /** The JSON object in the body; an empty object if the body is not JSON. */
    public JsonObject jsonIfAny() {
        try {
            return json();
        } catch (JsonException e) {
            return new JsonObject();
        }
    }

    /** A JSON string member without escapes, such as a token or a code; empty if it is missing. Does not parse the body. */
    public String field(String name) {
        String key = "\"" + name + "\":\"";
        int from = body.indexOf(key);
        int begin = from + key.length();
        return from < 0 ? "" : body.substring(begin, body.indexOf('"', begin));
    }

    /** The first header of this name, or null. */
    public @Nullable String header(String name) {
        return headers.firstValue(name).orElse(null);
    }

    /** The cookie that the response sets, as {@code name=value}; empty if it sets no cookie. */
    public String cookie() {
        return headers.firstValue("Set-Cookie").orElse("").replaceFirst(";.*", "");
    }

    /** Asserts the status. */
    public TestResponse expect(int expected) {
        check(status == expected, "status " + expected);
        return this;
    }

    /** Asserts a problem with this status and code, in the standard form of the service. */
    public TestResponse expectProblem(int expected, String code) {
        expect(expected);
        check("application/problem+json".equals(header("Content-Type")), "a problem");
        JsonObject problem = json();
        Set<String> names = problem.names();
        boolean standard =
                names.containsAll(PROBLEM) && names.size() == PROBLEM.size() + (names.contains("detail") ? 1 : 0);
        check(standard, "the members " + PROBLEM + " and perhaps detail");
        check(problem.string("code").equals(code), "the code " + code);
        check(problem.integer("status") == expected, "its own status");
        String end = code.equals("authentication_failed") ? "" : "."; // its text is fixed
        String error = problem.string("error");
        check(!error.isBlank() && error.endsWith(end), "an error text that ends with a full stop");
        check(problem.string("detail", ".").endsWith("."), "a detail that ends with a full stop");
        check(Objects.equals(problem.string("correlationId"), header("X-Correlation-ID")), "its correlation id");
        return this;
    }

    private void check(boolean expected, String what) {
        if (!expected) {
            throw new AssertionError("expected " + what + ", got " + this);
        }
    }

    @Override
    public String toString() {
        return status + " " + body;
    }
}
