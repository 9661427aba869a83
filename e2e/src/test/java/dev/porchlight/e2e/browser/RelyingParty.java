// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.server.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;

/** An application in its own process that signs users in through a service. */
final class RelyingParty implements AutoCloseable {
    private final Process process;
    private final Path log;

    private RelyingParty(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts an application that listens on a port of 127.0.0.1. */
    static RelyingParty start(Path directory, int port, Map<String, String> environment, String... command)
            throws IOException {
        Path log = directory.resolve("application.log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        var application = new RelyingParty(builder.start(), log);
        Awaitility.await().pollInterval(Duration.ofMillis(50)).until(() -> application.isListening(port));
        return application;
    }

    private boolean isListening(int port) throws IOException {
        assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
        try {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns what the application has logged so far. */
    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        Program.end(process, Duration.ofSeconds(10));
    }
}
