// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.drill;

import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Starts the service with the launcher and a heap of 128 MB, logs in many times, and tells how much memory the process had in
 * RAM. Ends with 1 if that was more than 200 MB at any time. Needs Linux, whose /proc it reads.
 */
public final class Memory {
    private static final int USERS = 8;
    private static final long GOAL_KB = 200_000;

    private final Process service;
    private final URI address;
    private final PrintStream out;
    private long mostKb;

    private Memory(Process service, URI address, PrintStream out) {
        this.service = service;
        this.address = address;
        this.out = out;
    }

    /** Arguments: the launcher, and how many logins there shall be. */
    public static void main(String[] args) throws Exception {
        int logins = args.length > 1 ? Integer.parseInt(args[1]) : 50_000;
        Path directory = Files.createTempDirectory("porchlight-drill");
        int port = freePort();
        ProcessBuilder builder = new ProcessBuilder(args[0], "serve")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("service.log").toFile());
        builder.environment().putIfAbsent("JAVA_OPTS", "-Xmx128m");
        builder.environment()
                .putAll(Map.of(
                        "PORT", Integer.toString(port),
                        "DATA_DIR", directory.resolve("data").toString(),
                        "RATE_LIMIT_PER_MINUTE", "0"));
        System.out.println("service log and data: " + directory);
        Process service = builder.start();
        boolean kept;
        try {
            kept = new Memory(service, URI.create("http://localhost:" + port), System.out).run(logins);
        } finally {
            service.destroy();
            service.waitFor();
        }
        System.exit(kept ? 0 : 1);
    }

    private boolean run(int logins) throws Exception {
        HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        awaitReady(http);
        out.println("ready: " + residentKb() + " kB");
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(USERS);
        List<Future<?>> users = new ArrayList<>();
        for (int i = 0; i < USERS; i++) {
            LoginLoop user = new LoginLoop(http, address, "user-" + i);
            users.add(threads.submit(() -> {
                user.register();
                while (begun.incrementAndGet() <= logins) {
                    user.login();
                    done.incrementAndGet();
                }
                return null;
            }));
        }
        threads.shutdown();
        watch(threads, done);
        for (Future<?> user : users) {
            user.get(); // throws what went wrong
        }
        out.println(done + " logins: at most " + mostKb + " kB, " + residentKb() + " kB at the end; the goal is "
                + GOAL_KB);
        return mostKb <= GOAL_KB;
    }

    private void watch(ExecutorService threads, AtomicInteger done) throws IOException, InterruptedException {
        int seconds = 0;
        while (!threads.awaitTermination(1, TimeUnit.SECONDS)) {
            long kb = residentKb();
            mostKb = Math.max(mostKb, kb);
            if (++seconds % 10 == 0) {
                out.println(seconds + " s, " + done + " logins, " + kb + " kB");
            }
        }
    }

    private void awaitReady(HttpClient http) throws IOException, InterruptedException {
        HttpRequest ready =
                HttpRequest.newBuilder(address.resolve("/health/ready")).build();
        while (service.isAlive()) {
            try {
                if (http.send(ready, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
                    return;
                }
            } catch (IOException notYet) {
                // it is still starting
            }
            Thread.sleep(200);
        }
        throw new IOException("the service ended; its log says why");
    }

    /** What the kernel calls VmRSS. */
    private long residentKb() throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(service.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
