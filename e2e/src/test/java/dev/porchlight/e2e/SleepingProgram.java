// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program that sleeps, to be ended by a test. */
record SleepingProgram(Path processId) {

    static SleepingProgram create(Path file) throws IOException {
        Path id = file.resolveSibling("process-id");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\necho $$ >'%1$s.new'\nmv '%1$s.new' '%1$s'\nexec sleep 50\n".formatted(id));
        file.toFile().setExecutable(true);
        return new SleepingProgram(id);
    }

    ProcessHandle awaitStart() throws IOException {
        await().until(() -> Files.exists(processId));
        return ProcessHandle.of(Long.parseLong(Files.readString(processId).strip()))
                .orElseThrow();
    }
}
