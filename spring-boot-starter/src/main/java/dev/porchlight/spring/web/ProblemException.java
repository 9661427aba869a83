// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

/** Refuses a request from wherever the reason is found. Caught in one place, {@link Exchange}. */
final class ProblemException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    ProblemException(Problem problem) {
        super(problem.code(), null, false, false); // an expected refusal: nobody will read its stack
        this.problem = problem;
    }

    Problem problem() {
        return problem;
    }
}
