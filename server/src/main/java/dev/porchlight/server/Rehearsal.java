// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.InvalidConfigException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The service for a moment, with no one to serve: it starts on a free port with data that is thrown away, is asked what it is
 * asked first, and ends. What the JVM loads meanwhile is what {@code bin/porchlight} archives, so that later starts are quick.
 */
public final class Rehearsal {
    private static final List<String> QUESTIONS = List.of(
            "GET /health/ready",
            "GET /metrics",
            "GET /",
            "GET /auth/passkey/login/options",
            "POST /auth/passkey/login/finish");

    private Rehearsal() {}

    public static void main(String[] arguments) throws IOException, InvalidConfigException {
        Path data = Files.createTempDirectory("porchlight-rehearsal");
        try {
            perform(data);
        } finally {
            remove(data);
        }
        System.exit(0);
    }

    /** Returns the status line of each answer. */
    static List<String> perform(Path data) throws IOException, InvalidConfigException {
        Config config = Config.read(Map.of("PORT", "0", "HOST", "127.0.0.1", "DATA_DIR", data.toString()));
        try (App app = App.start(config, LogWriter.to(OutputStream.nullOutputStream()), false, routes -> {})) {
            List<String> answers = new ArrayList<>();
            for (String question : QUESTIONS) {
                answers.add(ask(question, app.port()));
            }
            return answers;
        }
    }

    /** By hand: a client would be archived with the service. */
    private static String ask(String question, int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            String request = question
                    + " HTTP/1.1\r\nHost: localhost:" + port
                    + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
            socket.getOutputStream().write(request.getBytes(US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), US_ASCII);
            return answer.substring(0, answer.indexOf('\r'));
        }
    }

    private static void remove(Path data) throws IOException {
        try (var files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
