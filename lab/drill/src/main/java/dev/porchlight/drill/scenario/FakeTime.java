// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import dev.porchlight.rig.Launch;
import dev.porchlight.testkit.server.MissingProgramException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Fake wall clocks for processes, by libfaketime. */
public final class FakeTime {
    private FakeTime() {}

    /** Gives the launched process another wall clock. Monotonic time is not affected. */
    public static Launch preload(Launch launch) throws IOException, MissingProgramException {
        return launch.with("LD_PRELOAD", library().toString())
                .with("FAKETIME_WAIT_MS", "100") // otherwise every timed wait of the JVM ends at once and restarts
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
