// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** JDKs on this machine. */
final class Jdk {
    /** The JDK that runs the benchmarks. */
    static final Path OURS = Path.of(System.getProperty("java.home"));

    private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)");

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

    static int feature(Path home) throws IOException {
        Matcher version = VERSION.matcher(Files.readString(home.resolve("release")));
        if (!version.find()) {
            throw new IOException(home + " does not state its version");
        }
        return Integer.parseInt(version.group(1));
    }
}
