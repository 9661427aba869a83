// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A Redis or Valkey server that ends with the process that started it and writes nothing to disk. It can be killed, paused
 * and restarted to simulate failures. Thread-safe.
 */
public final class RedisServer implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(10);

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
     * @throws MissingProgramException if it is not installed
     * @throws IOException if it does not start; the message contains its output
     */
    public static RedisServer start(String... arguments) throws IOException, MissingProgramException {
        return new RedisServer(find(), Ports.free(), null, List.of(arguments));
    }

    /** Starts a server with a password. */
    public static RedisServer startWithPassword(String password, String... arguments)
            throws IOException, MissingProgramException {
        return new RedisServer(find(), Ports.free(), password, List.of(arguments));
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
        Program.await(process, START);
    }

    /** Pauses the server: connections stay open without responses. */
    public synchronized void pause() throws IOException {
        Program.signal("STOP", List.of(process.toHandle()));
    }

    /** Resumes a paused server. */
    public synchronized void resume() throws IOException {
        Program.signal("CONT", List.of(process.toHandle()));
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
        Program.await(process, START);
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
            Program.pause(10);
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

    /** Returns the program in {@code REDIS_SERVER}, or the first on the path. */
    private static String find() throws MissingProgramException {
        return Optional.ofNullable(System.getenv("REDIS_SERVER"))
                .or(() -> Program.find("redis-server"))
                .or(() -> Program.find("valkey-server"))
                .orElseThrow(() -> new MissingProgramException(
                        "no Redis server found: install one (Debian: redis-server) or set REDIS_SERVER"));
    }

    /** A connection to a Redis server that returns responses as text. Not thread-safe. */
    private static final class RedisConnection implements AutoCloseable {
        private static final int TIMEOUT_MILLIS = 60_000;

        private final Socket socket = new Socket();
        private final InputStream in;

        RedisConnection(int port) throws IOException {
            try {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
                socket.setSoTimeout(TIMEOUT_MILLIS);
                in = new BufferedInputStream(socket.getInputStream());
            } catch (IOException e) {
                socket.close();
                throw e;
            }
        }

        /** Sends a command and returns the response: a string, a number, the lines of a list, or an empty string for nil. */
        String send(String... command) throws IOException {
            var request = new ByteArrayOutputStream();
            request.writeBytes(("*" + command.length + "\r\n").getBytes(UTF_8));
            for (String word : command) {
                byte[] bytes = word.getBytes(UTF_8);
                request.writeBytes(("$" + bytes.length + "\r\n").getBytes(UTF_8));
                request.writeBytes(bytes);
                request.writeBytes(new byte[] {'\r', '\n'});
            }
            socket.getOutputStream().write(request.toByteArray());
            return response();
        }

        private String response() throws IOException {
            String head = line();
            String rest = head.substring(1);
            return switch (head.charAt(0)) {
                case '+', ':' -> rest;
                case '$' -> bulk(Integer.parseInt(rest));
                case '*' -> list(Integer.parseInt(rest));
                case '-' -> throw new IOException(rest);
                default -> throw new IOException("invalid response: " + head);
            };
        }

        private String bulk(int length) throws IOException {
            if (length < 0) {
                return "";
            }
            byte[] bytes = in.readNBytes(length + 2);
            if (bytes.length < length + 2) {
                throw new EOFException("the server closed the connection");
            }
            return new String(bytes, 0, length, UTF_8);
        }

        private String list(int length) throws IOException {
            StringJoiner lines = new StringJoiner("\n");
            for (int i = 0; i < length; i++) {
                lines.add(response());
            }
            return lines.toString();
        }

        private String line() throws IOException {
            var line = new ByteArrayOutputStream();
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0) {
                    throw new EOFException("the server closed the connection");
                }
                line.write(next);
            }
            String text = line.toString(UTF_8);
            if (text.length() < 2) {
                throw new IOException("invalid response: " + text);
            }
            return text.substring(0, text.length() - 1);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
