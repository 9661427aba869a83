// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.porchlight.testkit.server.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What tests need that may be missing on a machine, such as installed programs. */
public final class Requirements {
    private Requirements() {}

    /** Returns the path of a program. If it is missing, the test is skipped, or fails with {@code CI=true}. */
    public static String program(String name) {
        Optional<String> found = Program.find(name);
        check(found.isPresent(), name + " is not installed");
        return found.get();
    }

    /** Checks that a file of a program exists. If it is missing, the test is skipped, or fails with {@code CI=true}. */
    public static void file(Path file) {
        check(Files.exists(file), file + " is not installed");
    }

    /** Skips the test and prints the reason if a condition is not met, or fails with {@code CI=true}. */
    public static void check(boolean met, String reason) {
        if (!met) {
            assertThat(System.getenv("CI")).as(reason + ", and CI=true").isNotEqualTo("true");
            System.err.println("Skipped: " + reason);
        }
        assumeTrue(met, reason);
    }
}
