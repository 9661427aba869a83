// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.rig.Instance;
import dev.porchlight.rig.process.MissingProgramException;
import dev.porchlight.rig.process.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** System calls of a running instance that fail, as long as this is open. */
final class SyscallFault implements AutoCloseable {
    private final Process strace;
    private final Path trace;

    private SyscallFault(Process strace, Path trace) {
        this.strace = strace;
        this.trace = trace;
    }

    /**
     * Begins.
     *
     * @param fault as strace's {@code inject} takes it
     */
    static SyscallFault inject(Instance service, String fault, Path directory)
            throws IOException, InterruptedException, MissingProgramException {
        String program = Program.require("strace");
        String calls = fault.substring(0, fault.indexOf(':'));
        Path trace = Files.createTempFile(directory, "strace", ".txt");
        Path said = Files.createTempFile(directory, "strace", ".err");
        String pid = Long.toString(service.process().pid());
        Process strace = new ProcessBuilder(
                        program,
                        "-f",
                        "-e",
                        "trace=" + calls,
                        "-e",
                        "inject=" + fault,
                        "-o",
                        trace.toString(),
                        "-p",
                        pid)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        while (!Files.readString(said).contains("attached")) {
            if (!strace.isAlive()) {
                throw new MissingProgramException(
                        "strace may not attach: " + Files.readString(said).strip());
            }
            Thread.sleep(20);
        }
        Thread.sleep(200); // it attaches thread by thread
        return new SyscallFault(strace, trace);
    }

    /** How many calls were made to fail so far. */
    int injected() throws IOException {
        return (int) Files.readAllLines(trace).stream()
                .filter(line -> line.endsWith("(INJECTED)"))
                .count();
    }

    /** Lets go of the process. */
    @Override
    public void close() {
        Program.end(strace, Duration.ofSeconds(10));
    }
}
