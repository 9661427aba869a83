// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.report;

/** A named benchmark that is measured in rounds. */
public interface Benchmark {
    /** The argument of {@code ./porchlight bench NAME}. */
    String name();

    /** Runs the measurement, which takes a while, and returns its section of the report. */
    Section run(int rounds) throws Exception;
}
