// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import dev.porchlight.rig.process.MissingProgramException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** libfaketime, by which a process has another wall clock. */
public final class FakeTime {
    private FakeTime() {}

    /** The library to preload. */
    public static Path library() throws IOException, MissingProgramException {
        try (Stream<Path> directories = Files.list(Path.of("/usr/lib"))) {
            return directories
                    .map(it -> it.resolve("faketime/libfaketimeMT.so.1"))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow(() -> new MissingProgramException("libfaketime is not installed"));
        }
    }
}
