// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench;

import java.util.List;

/**
 * One operation measured on several contestants in the same run.
 *
 * @param name what {@code ./porchlight bench NAME} selects it by
 * @param operation what is measured, in words
 * @param benchmark the JMH class; each contestant is one of its methods
 * @param contestants peers first, ours last
 * @param goal what we set out to reach, in words
 */
record Comparison(String name, String operation, Class<?> benchmark, List<Contestant> contestants, String goal) {
    Comparison {
        contestants = List.copyOf(contestants);
        if (contestants.size() < 2) {
            throw new IllegalArgumentException("nothing to compare in " + name);
        }
    }

    /** A method of the benchmark class and the name it has in the table. */
    record Contestant(String label, String method) {}
}
