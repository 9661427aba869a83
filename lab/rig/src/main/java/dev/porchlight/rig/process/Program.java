// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs that may not be installed. */
public final class Program {
    private Program() {}

    /** Finds a program on the PATH or in Debian's directory for servers. */
    public static Optional<String> find(String name) {
        String path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
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
    public static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + said);
        }
        return said;
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

    /** Sends a signal, such as {@code STOP}. */
    public static void signal(String name, long pid) throws IOException, InterruptedException {
        run("kill", "-" + name, Long.toString(pid));
    }
}
