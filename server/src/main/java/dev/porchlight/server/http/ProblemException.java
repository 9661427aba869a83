// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

/** Refuses a request. Caught by {@link ErrorBoundary} only. */
public final class ProblemException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    public ProblemException(Problem problem) {
        super(problem.code(), null, false, false); // an expected refusal needs no stack trace
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }
}
