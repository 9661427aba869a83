// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A server in its own directory, which ends with the process that started it. Thread-safe. */
final class ServerProcess {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    /**
     * Runs the server until standard input ends, which also happens when the parent process dies; then removes the directory,
     * unless the test keeps it.
     */
    private static final String UNTIL_END_OF_INPUT = "home=$1; signal=$2; shift 2; \"$@\" & server=$!; read -r word;"
            + " kill -$signal $server; wait $server; [ \"$word\" = keep ] || rm -rf \"$home\"";

    private final Process process;

    /**
     * Starts a server and waits until its log contains a text.
     *
     * @param prefix a command that runs it as another user, or empty
     * @param signal the signal that stops it
     */
    ServerProcess(List<String> prefix, Path home, String signal, String ready, List<String> command)
            throws IOException {
        List<String> line = new ArrayList<>(prefix);
        line.addAll(List.of("sh", "-c", UNTIL_END_OF_INPUT, "sh", home.toString(), signal));
        line.addAll(command);
        Path log = home.resolve("log");
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("TMPDIR", home.toString()); // MariaDB deletes what it finds there
        process = builder.start();
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!Files.readString(log).contains(ready)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                String output = Files.readString(log);
                end(false);
                throw new IOException(command.get(0) + " did not start: " + output);
            }
            Program.pause(20);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Stops the server, and removes its directory unless it is kept for another start. */
    void end(boolean keep) throws IOException {
        if (keep) {
            process.getOutputStream().write("keep\n".getBytes(StandardCharsets.US_ASCII));
        }
        process.getOutputStream().close();
        Program.await(process, TIMEOUT);
    }
}
