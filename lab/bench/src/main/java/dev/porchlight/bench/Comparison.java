// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench;

import java.util.List;

/**
 * One operation measured on several contestants in the same run.
 *
 * @param name the argument of {@code ./porchlight bench NAME}
 * @param operation a description of the operation
 * @param benchmark the JMH class; each contestant is one of its methods
 * @param contestants peers first, ours last
 * @param goal a description of the goal
 */
record Comparison(String name, String operation, Class<?> benchmark, List<Contestant> contestants, String goal) {
    Comparison {
        contestants = List.copyOf(contestants);
        if (contestants.size() < 2) {
            throw new IllegalArgumentException("too few contestants in " + name);
        }
    }

    /** A method of the benchmark class and its label in the table. */
    record Contestant(String label, String method) {}
}
