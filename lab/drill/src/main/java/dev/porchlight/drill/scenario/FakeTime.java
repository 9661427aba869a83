// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import dev.porchlight.rig.Launch;
import dev.porchlight.rig.process.MissingProgramException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** libfaketime, by which a process has another wall clock. */
public final class FakeTime {
    private FakeTime() {}

    /** Lets what is launched have another wall clock; what counts elapsed time is left alone. */
    public static Launch preload(Launch launch) throws IOException, MissingProgramException {
        return launch.with("LD_PRELOAD", library().toString())
                .with("FAKETIME_WAIT_MS", "100") // else every timed wait of the JVM ends at once, and begins again
                .with("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    }

    private static Path library() throws IOException, MissingProgramException {
        try (Stream<Path> directories = Files.list(Path.of("/usr/lib"))) {
            return directories
                    .map(it -> it.resolve("faketime/libfaketimeMT.so.1"))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow(() -> new MissingProgramException("libfaketime is not installed"));
        }
    }
}
