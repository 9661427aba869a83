// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.server;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs that may not be installed. An interrupted wait throws an IOException. */
public final class Program {
    private Program() {}

    /** Finds a program on the PATH or in the directories for servers. */
    public static Optional<String> find(String name) {
        String path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin" + File.pathSeparator + "/usr/local/sbin";
        return Stream.of(path.split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    /** The program's path. */
    public static String require(String name) throws MissingProgramException {
        return find(name).orElseThrow(() -> new MissingProgramException(name + " is not installed"));
    }

    /** Runs a command to completion and returns its output. */
    public static String run(String... command) throws IOException {
        return run(new ProcessBuilder(command));
    }

    static String run(ProcessBuilder builder) throws IOException {
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        await(process, Duration.ofMinutes(10));
        if (process.exitValue() != 0) {
            throw new IOException(String.join(" ", builder.command()) + " failed: " + output);
        }
        return output;
    }

    /** Sends SIGTERM, then SIGKILL after a timeout. */
    public static void end(Process process, Duration atMost) {
        process.destroy();
        try {
            if (!process.waitFor(atMost.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a process to end. */
    static void await(Process process, Duration atMost) throws IOException {
        try {
            if (!process.waitFor(atMost.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("the process did not end");
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    static void pause(int millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IOException("interrupted", e);
    }

    /** Sends a signal, such as {@code STOP}, to those that have not ended since they were listed. */
    public static void signal(String name, List<ProcessHandle> processes) throws IOException {
        for (ProcessHandle process : processes) {
            try {
                run("kill", "-" + name, Long.toString(process.pid()));
            } catch (IOException e) {
                if (process.isAlive()) {
                    throw e;
                }
            }
        }
    }
}
