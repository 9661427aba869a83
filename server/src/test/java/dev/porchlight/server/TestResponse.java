// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.wire.JsonObject;
import java.net.http.HttpHeaders;

/** A response of the service, with assertions. */
record TestResponse(int status, HttpHeaders headers, String body) {

    JsonObject json() {
        return JsonObject.parse(body);
    }

    String header(String name) {
        return headers.firstValue(name).orElse(null);
    }

    /** Asserts the status. */
    TestResponse expect(int expected) {
        assertThat(status).as(body).isEqualTo(expected);
        return this;
    }

    /** Asserts a problem with this status and code in the standard form. */
    TestResponse expectProblem(int expected, String code) {
        expect(expected);
        assertThat(header("Content-Type")).isEqualTo("application/problem+json");
        JsonObject problem = json();
        assertThat(problem.names())
                .contains("error", "code", "status", "correlationId")
                .isSubsetOf("error", "code", "status", "correlationId", "detail");
        assertThat(problem.string("code")).as(body).isEqualTo(code);
        assertThat(problem.integer("status")).isEqualTo(expected);
        if (!code.equals("authentication_failed")) { // its text is fixed
            assertThat(problem.string("error")).endsWith(".");
        }
        if (problem.has("detail")) {
            assertThat(problem.string("detail")).endsWith(".");
        }
        assertThat(problem.string("correlationId")).isEqualTo(header("X-Correlation-ID"));
        return this;
    }
}
