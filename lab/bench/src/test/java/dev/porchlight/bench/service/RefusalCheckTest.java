// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.porchlight.testkit.server.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefusalCheckTest {
    private static final String CREATION_OPTIONS = """
        {"token":"t","challenge":"AAAAAAAAAAAAAAAAAAAAAA","rp":{"id":"localhost","name":"R"},\
        "user":{"id":"AAAA","name":"refusals","displayName":"R"},"pubKeyCredParams":[{"type":"public-key","alg":-7}],\
        "authenticatorSelection":{"residentKey":"preferred"}}\
        """;

    @Test
    void a_service_that_accepts_everything_fails() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, CREATION_OPTIONS.length());
            exchange.getResponseBody().write(CREATION_OPTIONS.getBytes(UTF_8));
            exchange.close();
        });
        server.start();
        try {
            URI address = URI.create("http://localhost:" + server.getAddress().getPort());
            assertThatThrownBy(() -> RefusalCheck.run(address, new Routes.OurRoutes(address)))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("a wrong signature was accepted");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void the_go_peer_passes(@TempDir Path directory) throws Exception {
        boolean installed = Program.find("go").isPresent()
                && Files.isDirectory(Path.of("/usr/share/gocode/src/github.com/duo-labs/webauthn"));
        if (!installed) {
            assertThat(System.getenv("CI"))
                    .as("Go is not installed, and CI=true")
                    .isNotEqualTo("true");
            System.err.println("Skipped: Go and its library duo-labs/webauthn are not installed");
        }
        assumeTrue(installed, "Go and its library duo-labs/webauthn are not installed");
        Path peers = Path.of("peers").toAbsolutePath();
        Peers.run(peers, Map.of(), peers.resolve("build").toString(), "go");

        try (Running peer = CommandPeer.go(peers.resolve("go"))
                .launch(directory, Storage.sqlite().fresh(directory))) {
            peer.awaitReady();
            RefusalCheck.run(peer.instance().address(), peer.routes());
        }
    }
}
