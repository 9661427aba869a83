// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The process of a proxy that listens on a port of this machine. Thread-safe. */
final class ProxyProcess implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(10);

    private final Process process;
    private final int port;

    private ProxyProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Runs the command and waits until it listens; what it prints is in the log. */
    static ProxyProcess start(List<String> command, int port, Path log) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        ProxyProcess proxy = new ProxyProcess(process, port);
        proxy.awaitListening(command.get(0), log);
        return proxy;
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void awaitListening(String program, Path log) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START.toNanos();
        while (System.nanoTime() < deadline && process.isAlive()) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException notYet) {
                Thread.sleep(20);
            }
        }
        close();
        throw new IOException(program + " did not start: " + Files.readString(log));
    }
}
