// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** JDKs on this machine. */
final class Jdk {
    /** The JDK that runs the benchmarks. */
    static final Path OURS = Path.of(System.getProperty("java.home"));

    private Jdk() {}

    /** The JDK that runs the benchmarks, and the additional one from the environment. */
    static List<Path> all() {
        Set<Path> homes = new LinkedHashSet<>(Set.of(OURS));
        String second = System.getenv("BENCH_JAVA_HOME");
        if (second != null) {
            homes.add(Path.of(second));
        }
        return List.copyOf(homes);
    }
}
