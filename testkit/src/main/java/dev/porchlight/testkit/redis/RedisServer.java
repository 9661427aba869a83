// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.redis;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Redis or Valkey server that ends with the process that started it and writes nothing to disk. It can be killed, paused
 * and restarted to simulate failures. Thread-safe.
 */
public final class RedisServer implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(3);

    /**
     * Starts the server and a watcher that kills it when standard input ends, which also happens when the parent process dies.
     */
    private static final String UNTIL_END_OF_INPUT = "home=$1; shift; exec 3<&0;"
            + " { read -r _ <&3; kill -KILL $$; rm -rf \"$home\"; } >/dev/null 2>&1 & exec \"$@\" 3<&-";

    private final String program;
    private final int port;
    private final @Nullable String password;
    private final List<String> arguments;
    private Process process;

    private RedisServer(String program, int port, @Nullable String password, List<String> arguments)
            throws IOException {
        this.program = program;
        this.port = port;
        this.password = password;
        this.arguments = arguments;
        process = launch();
    }

    /**
     * Starts a server without a password.
     *
     * @param arguments additional command line arguments, such as {@code --maxmemory 5mb}
     * @throws RedisMissingException if it is not installed
     * @throws IOException if it does not start; the message contains its output
     */
    public static RedisServer start(String... arguments) throws IOException, RedisMissingException {
        return new RedisServer(find(), freePort(), null, List.of(arguments));
    }

    /** Starts a server with a password. */
    public static RedisServer startWithPassword(String password, String... arguments)
            throws IOException, RedisMissingException {
        return new RedisServer(find(), freePort(), password, List.of(arguments));
    }

    /** The port on 127.0.0.1, which {@link #restart} keeps. */
    public int port() {
        return port;
    }

    /** The URL, with the password if there is one. */
    public String url() {
        return "redis://" + (password == null ? "" : ":" + password + "@") + "127.0.0.1:" + port;
    }

    /** Sends a command and returns the response as text; the entries of a list are lines. */
    public String command(String... words) throws IOException {
        try (var connection = new RedisConnection(port)) {
            if (password != null) {
                connection.send("AUTH", password);
            }
            return connection.send(words);
        }
    }

    /** Removes all data. */
    public void flush() throws IOException {
        command("FLUSHALL");
    }

    /** Kills the server like {@code kill -9}; connections are reset. */
    public synchronized void kill() throws IOException {
        process.destroyForcibly();
        awaitExit(process);
    }

    /** Pauses the server: connections stay open without responses. */
    public synchronized void pause() throws IOException {
        signal("STOP");
    }

    /** Resumes a paused server. */
    public synchronized void resume() throws IOException {
        signal("CONT");
    }

    /** Restarts the server on the same port, empty. */
    public synchronized void restart() throws IOException {
        close();
        process = launch();
    }

    /** Stops the server and removes its directory. */
    @Override
    public synchronized void close() throws IOException {
        process.getOutputStream().close();
        awaitExit(process);
    }

    private Process launch() throws IOException {
        Path home = Files.createTempDirectory("porchlight-redis");
        List<String> command = new ArrayList<>(List.of("sh", "-c", UNTIL_END_OF_INPUT, "sh", home.toString()));
        command.addAll(List.of(program, "--bind", "127.0.0.1", "--port", Integer.toString(port)));
        command.addAll(List.of("--save", "", "--appendonly", "no", "--dir", home.toString(), "--loglevel", "warning"));
        if (password != null) {
            command.addAll(List.of("--requirepass", password));
        }
        command.addAll(arguments);
        Process launched = new ProcessBuilder(command).redirectErrorStream(true).start();
        long deadline = System.nanoTime() + START.toNanos();
        while (!isReady()) {
            if (!launched.isAlive() || System.nanoTime() > deadline) {
                launched.getOutputStream().close();
                String output = new String(launched.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                throw new IOException("Redis did not start: " + output);
            }
            pauseFor(10);
        }
        return launched;
    }

    private boolean isReady() {
        try {
            return command("PING").equals("PONG");
        } catch (IOException notYet) {
            return false;
        }
    }

    private void signal(String name) throws IOException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start();
        awaitExit(kill);
        if (kill.exitValue() != 0) {
            throw new IOException("the server is not running");
        }
    }

    private static void awaitExit(Process ending) throws IOException {
        try {
            if (!ending.waitFor(START.toSeconds(), TimeUnit.SECONDS)) {
                ending.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void pauseFor(int millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Returns the program in {@code REDIS_SERVER}, or the first on the path. */
    private static String find() throws RedisMissingException {
        String named = System.getenv("REDIS_SERVER");
        if (named != null) {
            return named;
        }
        String path = System.getenv("PATH");
        return Stream.of((path == null ? "" : path).split(File.pathSeparator, -1))
                .flatMap(directory -> Stream.of("redis-server", "valkey-server").map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Path::toString)
                .orElseThrow(() -> new RedisMissingException(
                        "no Redis server found: install one (Debian: redis-server) or set REDIS_SERVER"));
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
