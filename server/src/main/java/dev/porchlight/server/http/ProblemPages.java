// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import org.jspecify.annotations.Nullable;

/** Pages about problems, for people whose browser opened a route. Implementations are thread-safe and wait for nothing. */
@FunctionalInterface
public interface ProblemPages {
    /** No page: every client gets the problem as JSON. */
    ProblemPages NONE = (exchange, problem) -> null;

    /** The page for a failed request; null if the client gets the problem as JSON. */
    @Nullable
    Response of(Exchange exchange, Problem problem);
}
