// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.rig.Instance;
import dev.porchlight.rig.process.MissingProgramException;
import dev.porchlight.rig.process.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

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
        while (!Files.readString(said).contains("attached") || !attached(pid)) {
            if (!strace.isAlive()) {
                throw new MissingProgramException(
                        "strace may not attach: " + Files.readString(said).strip());
            }
            Thread.sleep(20);
        }
        return new SyscallFault(strace, trace);
    }

    /** Whether strace has attached to every thread. */
    private static boolean attached(String pid) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", pid, "task"))) {
            for (Path thread : threads.toList()) {
                if (Files.readString(thread.resolve("status")).contains("TracerPid:\t0\n")) {
                    return false;
                }
            }
            return true;
        } catch (NoSuchFileException ended) {
            return false;
        }
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
