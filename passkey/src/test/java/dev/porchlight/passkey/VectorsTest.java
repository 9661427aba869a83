// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No vectors are forgotten. */
class VectorsTest {
    @Test
    void every_file_is_read_by_a_test() throws IOException {
        Path directory = Vectors.file("README.md").getParent();
        List<Path> tests =
                files(Path.of(System.getProperty("porchlight.root", ".."), "passkey/src/test/java"), ".java");
        String sources = tests.stream()
                .filter(it -> it.getFileName().toString().endsWith("Test.java"))
                .map(VectorsTest::read)
                .collect(Collectors.joining());
        List<Path> vectors = files(directory, ".jsonl");
        assertThat(vectors).hasSizeGreaterThan(10);
        for (Path file : vectors) {
            String name = file.getFileName().toString();
            String algorithm = name.replaceAll("wycheproof_|\\.jsonl", ""); // read by a loop over these
            assertThat(sources.contains('"' + name + '"') || sources.contains('"' + algorithm + '"'))
                    .as(name)
                    .isTrue();
        }
        assertThat(files(directory, ".jwt"))
                .isNotEmpty()
                .allSatisfy(it -> assertThat(sources).contains(it.getFileName().toString()));
    }

    private static List<Path> files(Path directory, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(it -> it.toString().endsWith(ending)).toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
