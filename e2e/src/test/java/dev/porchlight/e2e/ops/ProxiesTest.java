// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.e2e.Requirements;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.App;
import dev.porchlight.server.config.Config;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.server.Ports;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The proxy configurations of docs/guides/deploying.md in HAProxy and nginx: they forward the client address instead of one that the
 * client sent, and no client gets an h2c tunnel, even if the proxy forwards upgrades.
 */
@Tag("slow")
class ProxiesTest {
    private static final String INVENTED = "203.0.113.7";
    private static final String OPTIONS =
            "GET /auth/passkey/login/options HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: " + INVENTED + "\r\n";
    private static final String UPGRADE = OPTIONS
            + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"
            + "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private App app;
    private Process proxy;

    @TempDir
    Path directory;

    @BeforeEach
    void start() throws Exception {
        var variables = Map.of(
                "PORT",
                "0",
                "MANAGEMENT_PORT",
                "0",
                // With the client in the list, the service would use an address that the proxy forwards for it.
                "TRUSTED_PROXIES",
                "127.0.0.1,127.0.0.2",
                "DATA_DIR",
                directory + "/data");
        app = App.start(Config.read(Patience.variables(variables)), LogWriter.to(log), false, routes -> {});
    }

    @AfterEach
    void stop() throws Exception {
        if (proxy != null) {
            proxy.destroy();
            proxy.waitFor();
        }
        app.close();
    }

    @Test
    void haproxy_forwards_the_client_address_and_opens_no_tunnel() throws Exception {
        int front = Ports.free();
        start(Requirements.program("haproxy"), "-f", haproxy(front));

        assertResponds(front);
        assertNoTunnel(front);
    }

    @Test
    void nginx_forwards_the_client_address_and_opens_no_tunnel() throws Exception {
        int front = Ports.free();
        start(Requirements.program("nginx"), "-c", nginx(front, block("nginx")));

        assertResponds(front);
        assertNoTunnel(front);
    }

    @Test
    void nginx_with_forwarded_upgrades_opens_no_tunnel() throws Exception {
        int front = Ports.free();
        String forwarding = block("nginx").replace("proxy_set_header Connection \"\";", """
            proxy_set_header Connection $http_connection;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header HTTP2-Settings $http_http2_settings;
            """);
        start(Requirements.program("nginx"), "-c", nginx(front, forwarding));

        assertResponds(front);
        assertNoTunnel(front);
    }

    private static void assertResponds(int front) {
        Awaitility.await()
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(exchange(front, OPTIONS + "Connection: close\r\n\r\n"))
                        .startsWith("HTTP/1.1 200 "));
    }

    private void assertNoTunnel(int front) throws Exception {
        assertThat(exchange(front, UPGRADE)).startsWith("HTTP/1.1 200 ").doesNotContain("101 Switching");
        app.close(); // flushes the log
        assertThat(log.toString(StandardCharsets.UTF_8))
                .contains("\"client\":\"127.0.0.2\"")
                .doesNotContain(INVENTED);
    }

    private void start(String program, String option, String config) throws IOException {
        Path file = Files.writeString(directory.resolve("proxy.conf"), config);
        proxy = new ProcessBuilder(program, option, file.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("proxy.log").toFile())
                .start();
    }

    /** Replaces the example's addresses. Both servers are the same here, and there is no TLS. */
    private String haproxy(int front) throws IOException {
        return block("haproxy")
                .replaceAll("bind :443 .*", "bind 127.0.0.1:" + front)
                .replaceAll("10\\.0\\.0\\.1\\d:8080", "127.0.0.1:" + app.port())
                .replace("port 8081", "port " + app.managementPort());
    }

    private String nginx(int front, String block) {
        String site = block.replaceAll("listen 443 .*;", "listen 127.0.0.1:" + front + ";")
                .replaceAll("ssl_certificate.*;", "")
                .replaceAll("10\\.0\\.0\\.1\\d:8080", "127.0.0.1:" + app.port());
        StringBuilder http = new StringBuilder("access_log off;\n");
        for (String kind : List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) {
            http.append(kind)
                    .append("_temp_path ")
                    .append(directory.resolve(kind))
                    .append(";\n");
        }
        return "daemon off;\nerror_log stderr;\npid " + directory.resolve("nginx.pid") + ";\nevents {}\nhttp {\n" + http
                + site + "}\n";
    }

    /** Sends a request from 127.0.0.2, which the proxy must forward instead of the header. */
    private static String exchange(int port, String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port, InetAddress.getByName("127.0.0.2"), 0)) {
            socket.setSoTimeout(Patience.MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String block(String language) throws IOException {
        var found = Pattern.compile("(?s)```" + language + "\n(.*?)```")
                .matcher(Files.readString(OpsFiles.ROOT.resolve("docs/guides/deploying.md")));
        assertThat(found.find()).isTrue();
        return found.group(1);
    }
}
