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
        Optional<String> found = dev.porchlight.rig.process.Program.find(name);
        require(found.isPresent(), name + " is not installed");
        return found.get();
    }

    /** Requires a file that is part of a program. If it is missing, the test is skipped, or fails with {@code CI=true}. */
    public static void requireFile(Path file) {
        require(Files.exists(file), file + " is not installed");
    }

    /** Skips the test and prints the reason if a condition is not met, or fails with {@code CI=true}. */
    public static void require(boolean met, String reason) {
        if (!met) {
            assertThat(System.getenv("CI")).as(reason + ", and CI=true").isNotEqualTo("true");
            System.err.println("Skipped: " + reason);
        }
        assumeTrue(met, reason);
    }
}
