// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Optional;

/** External programs that tests need and that may not be installed. */
public final class Program {
    private Program() {}

    /** Returns the path of a program. If it is missing, the test is skipped, or fails with {@code CI=true}. */
    public static String require(String name) {
        Optional<String> found = dev.porchlight.rig.process.Program.find(name);
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
