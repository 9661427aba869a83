// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * The service as a process of its own, started as the launcher starts it: from the jars that {@code package} laid out, or from
 * the compiled classes in a build that ends before that.
 */
public final class Service implements AutoCloseable {
    private static final Path JARS =
            Path.of(System.getProperty("porchlight.root")).resolve("server/target/app/lib");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    final Process process;
    private final int port;
    private final Path log;

    private Service(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /** Starts it and waits until it is ready. */
    public static Service start(Path directory, Map<String, String> variables) throws IOException {
        int port = freePort();
        Service service = launch(directory, port, variables);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !service.process.isAlive() || service.isReady());
        if (!service.process.isAlive()) {
            throw new IOException("the service ended:\n" + service.output());
        }
        return service;
    }

    /** Starts it and does not wait. */
    static Service launch(Path directory, int port, Map<String, String> variables) throws IOException {
        Path log = directory.resolve("service.log");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        // it runs for seconds: compiling further costs more than it saves
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-cp",
                        classPath(),
                        "dev.porchlight.server.Main",
                        "serve")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("PORT", Integer.toString(port));
        builder.environment().put("DATA_DIR", directory.resolve("data").toString());
        builder.environment().putAll(variables);
        return new Service(builder.start(), port, log);
    }

    public int port() {
        return port;
    }

    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    String output() throws IOException {
        return Files.readString(log, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the build has laid out the jars that the launcher runs. */
    public static boolean isPackaged() {
        return System.getProperty("java.class.path").contains(JARS.toString());
    }

    private static String classPath() {
        return isPackaged() ? JARS + "/*" : System.getProperty("java.class.path");
    }

    /**
     * A port that was free a moment ago. It is below the range of which the system chooses ports by itself, so that no
     * connection and no server of a concurrent test takes it, not even while a service restarts.
     */
    public static int freePort() throws IOException {
        for (int attempt = 0; attempt < 100; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (BindException taken) {
                // the next one may be free
            }
        }
        throw new BindException("no free port found");
    }

    private boolean isReady() throws InterruptedException {
        try {
            return get("/health/ready").statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }
}
