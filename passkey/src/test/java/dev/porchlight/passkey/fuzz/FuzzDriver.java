// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The entry point for Jazzer, in a separate JVM. The argument is the target. */
public final class FuzzDriver {
    private static FuzzTarget target = FuzzTarget.CBOR;

    private FuzzDriver() {}

    /** Called once. Replays the corpus to load and instrument the classes. */
    public static void fuzzerInitialize(String[] arguments) throws IOException {
        target = FuzzTarget.valueOf(arguments[0]);
        for (Path file : target.corpus()) {
            target.run(Files.readAllBytes(file));
        }
    }

    /** Called for every input. */
    public static void fuzzerTestOneInput(byte[] input) {
        target.run(input);
    }
}
