// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.report;

/** Something that is measured in rounds, by a name of its own. */
public interface Benchmark {
    /** What {@code ./porchlight bench NAME} selects it by. */
    String name();

    /** Measures, which takes a while, and tells what came of it. */
    Section run(int rounds) throws Exception;
}
