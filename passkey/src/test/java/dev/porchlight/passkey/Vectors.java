// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** External test vectors in {@code ../shared/vectors}, one JSON object per line. */
public final class Vectors {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Vectors() {}

    /** Reads the lines of a file. Skips the test if it is missing. */
    public static List<JsonNode> read(String name) {
        try {
            List<JsonNode> lines = new ArrayList<>();
            for (String line : Files.readAllLines(file(name))) {
                lines.add(JSON.readTree(line));
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a file. Skips the test if it is missing. */
    public static Path file(String name) {
        Path file = Path.of(System.getProperty("porchlight.root", ".."), "..", "shared", "vectors", name);
        if (!Files.isRegularFile(file)) {
            String reason =
                    "the vectors ../shared/vectors/" + name + " are missing; they are not part of this repository";
            System.err.println("Skipped: " + reason);
            Assumptions.abort(reason);
        }
        return file;
    }
}
