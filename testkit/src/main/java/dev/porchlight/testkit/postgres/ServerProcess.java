// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server that runs as an unprivileged user in its own directory, and ends with the process that started it. Thread-safe. */
final class ServerProcess implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(3);

    /**
     * Runs the server until standard input ends, which also happens when the parent process dies; then removes the directory.
     */
    private static final String UNTIL_END_OF_INPUT =
            "home=$1; signal=$2; shift 2; \"$@\" & server=$!; read -r _; kill -$signal $server; wait $server; rm -rf \"$home\"";

    private final Process process;

    private ServerProcess(Process process) {
        this.process = process;
    }

    /** Creates a directory that the server can write to. */
    static Path directory(PostgresInstallation installation, String name) throws IOException {
        // Not java.io.tmpdir: the server runs as another user, which needs access to all parent directories.
        Path home = Files.createTempDirectory(Path.of("/tmp"), name);
        installation.giveToServerUser(home);
        return home;
    }

    /**
     * Starts a server and waits until its log contains a text.
     *
     * @param signal the signal that stops it
     */
    static ServerProcess start(
            PostgresInstallation installation, Path home, String signal, String ready, List<String> command)
            throws IOException {
        List<String> line = new ArrayList<>(List.of("sh", "-c", UNTIL_END_OF_INPUT, "sh", home.toString(), signal));
        line.addAll(command);
        Path log = home.resolve("log");
        Process process = new ProcessBuilder(installation.asServerUser(line))
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        ServerProcess server = new ServerProcess(process);
        long deadline = System.nanoTime() + START.toNanos();
        while (!Files.readString(log).contains(ready)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                String output = Files.readString(log);
                server.close();
                throw new IOException(command.get(0) + " did not start: " + output);
            }
            pause();
        }
        return server;
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(START.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
