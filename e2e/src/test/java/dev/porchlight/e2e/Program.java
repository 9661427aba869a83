// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** External programs that tests need and that may not be installed. */
public final class Program {
    private Program() {}

    /** Returns the path of a program. If it is missing, the test is skipped, or fails with {@code CI=true}. */
    public static String require(String name) {
        return require(name, dev.porchlight.rig.process.Program.find(name));
    }

    /** Requires a file that is part of a program. If it is missing, the test is skipped, or fails with {@code CI=true}. */
    public static void requireFile(Path file) {
        String unused = require(file.toString(), Optional.of(file.toString()).filter(it -> Files.exists(file)));
    }

    private static String require(String name, Optional<String> found) {
        if (found.isEmpty() && "true".equals(System.getenv("CI"))) {
            assertThat(found).as(name + " is not installed, and CI=true").isPresent();
        }
        if (found.isEmpty()) {
            System.err.println("Skipped: " + name + " is not installed");
        }
        assumeTrue(found.isPresent(), name + " is not installed");
        return found.get();
    }
}
