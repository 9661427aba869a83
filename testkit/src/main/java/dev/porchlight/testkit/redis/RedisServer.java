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
 * A Redis or Valkey server that lives as long as the process that started it, keeps nothing on disk, and can be broken in
 * the ways servers break. Thread-safe.
 */
public final class RedisServer implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(30);

    /**
     * Becomes the server, and leaves a watcher behind that ends it, hung or not, when standard input ends. That also
     * happens when the process at the other end dies, whatever it dies of.
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
     * Starts a server that anybody on this machine may use.
     *
     * @param arguments further words of its command line, such as {@code --maxmemory 5mb}
     * @throws RedisMissingException if there is none on this machine
     * @throws IOException if it does not start; the message holds what it said
     */
    public static RedisServer start(String... arguments) throws IOException, RedisMissingException {
        return new RedisServer(find(), freePort(), null, List.of(arguments));
    }

    /** The same, for whoever knows the password. */
    public static RedisServer startWithPassword(String password, String... arguments)
            throws IOException, RedisMissingException {
        return new RedisServer(find(), freePort(), password, List.of(arguments));
    }

    /** The port on 127.0.0.1, the same also after {@link #restart}. */
    public int port() {
        return port;
    }

    /** Its address, with the password if it has one. */
    public String url() {
        return "redis://" + (password == null ? "" : ":" + password + "@") + "127.0.0.1:" + port;
    }

    /** Asks the server something and returns its reply as text; the entries of a list are lines. */
    public String command(String... words) throws IOException {
        try (var conversation = new RedisConversation(port)) {
            if (password != null) {
                conversation.ask("AUTH", password);
            }
            return conversation.ask(words);
        }
    }

    /** Removes everything it holds. */
    public void flush() throws IOException {
        command("FLUSHALL");
    }

    /** Ends it without warning, as {@code kill -9} does; connections are reset. */
    public synchronized void kill() throws IOException {
        process.destroyForcibly();
        awaitExit(process);
    }

    /** Hangs it: connections stay, and nothing answers. */
    public synchronized void pause() throws IOException {
        signal("STOP");
    }

    /** Lets a hung server go on. */
    public synchronized void resume() throws IOException {
        signal("CONT");
    }

    /** Starts it again on the same port, empty; ends it first if it still runs. */
    public synchronized void restart() throws IOException {
        close();
        process = launch();
    }

    /** Ends the server and removes its directory. */
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
        while (!answers()) {
            if (!launched.isAlive() || System.nanoTime() > deadline) {
                launched.getOutputStream().close();
                String said = new String(launched.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                throw new IOException("Redis did not start: " + said);
            }
            pauseFor(10);
        }
        return launched;
    }

    private boolean answers() {
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

    /** The program that {@code REDIS_SERVER} names, or the first along the path. */
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
                        "no Redis server found: install one (Debian: redis-server) or name it in REDIS_SERVER"));
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
