// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.rig.Instance;
import dev.porchlight.rig.process.MissingProgramException;
import dev.porchlight.rig.process.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Injects system call failures into a running instance until closed. */
final class SyscallFault implements AutoCloseable {
    private final Process strace;
    private final Path trace;

    private SyscallFault(Process strace, Path trace) {
        this.strace = strace;
        this.trace = trace;
    }

    /**
     * Starts the injection.
     *
     * @param fault in the syntax of strace's {@code inject}
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
        Thread.sleep(200); // strace attaches thread by thread
        return new SyscallFault(strace, trace);
    }

    /** The number of failed calls so far. */
    int injected() throws IOException {
        return (int) Files.readAllLines(trace).stream()
                .filter(line -> line.endsWith("(INJECTED)"))
                .count();
    }

    /** Detaches from the process. */
    @Override
    public void close() {
        Program.end(strace, Duration.ofSeconds(10));
    }
}
