// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Replays the corpus of each target. */
class CorpusTest {
    @TestFactory
    List<DynamicTest> every_kept_input_is_read_or_refused() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (FuzzTarget target : FuzzTarget.values()) {
            List<Path> corpus = target.corpus();
            assertThat(corpus).as("the corpus of " + target).isNotEmpty();
            for (Path file : corpus) {
                String name = target + " " + file.getFileName();
                tests.add(DynamicTest.dynamicTest(name, () -> target.run(Files.readAllBytes(file))));
            }
        }
        return tests;
    }
}
