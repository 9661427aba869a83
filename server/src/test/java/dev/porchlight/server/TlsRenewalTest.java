// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.config.Config;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.attestation.ServerIdentity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsRenewalTest {
    @TempDir
    Path directory;

    private final ByteArrayOutputStream logs = new ByteArrayOutputStream();

    @Test
    void a_renewed_certificate_is_served_without_a_restart_and_an_invalid_one_is_not() throws Exception {
        write(identity());
        try (App app = start()) {
            assertThat(isLooking()).isTrue();
            Certificate first = shown(app);
            app.renewCertificate();
            assertThat(shown(app)).isEqualTo(first);

            ServerIdentity next = identity();
            Files.writeString(certificate(), next.certificatePem());
            app.renewCertificate();
            app.renewCertificate();
            assertThat(shown(app)).as("while only one file is written").isEqualTo(first);
            assertThat(logs.toString(StandardCharsets.UTF_8)).containsOnlyOnce("keeping the previous one");

            write(next);
            app.renewCertificate();
            Certificate second = shown(app);
            assertThat(second).isNotEqualTo(first);
            assertThat(logs.toString(StandardCharsets.UTF_8)).containsOnlyOnce("was renewed");

            Files.delete(certificate());
            app.renewCertificate();
            assertThat(shown(app)).isEqualTo(second);
        }
    }

    @Test
    void a_failed_start_leaves_no_watcher_thread() throws Exception {
        write(identity());
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatIOException().isThrownBy(() -> start(taken.getLocalPort()));
        }

        await().until(() -> !isLooking());
    }

    private static boolean isLooking() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("porchlight-tls-renewal"));
    }

    private App start() throws Exception {
        return start(0);
    }

    private App start(int port) throws Exception {
        Map<String, String> variables = Map.of(
                "PORT", Integer.toString(port),
                "DATA_DIR", directory.resolve("data").toString(),
                "TLS_CERTIFICATE", certificate().toString(),
                "TLS_KEY", key().toString());
        return App.start(Config.read(Patience.variables(variables)), LogWriter.to(logs), false, routes -> {});
    }

    private static Certificate shown(App app) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustAll()}, null);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", app.port())) {
            socket.setSoTimeout(Patience.MILLIS);
            return socket.getSession().getPeerCertificates()[0];
        }
    }

    private void write(ServerIdentity identity) throws IOException {
        Files.writeString(certificate(), identity.certificatePem());
        Files.writeString(key(), identity.keyPem());
    }

    private Path certificate() {
        return directory.resolve("certificate.pem");
    }

    private Path key() {
        return directory.resolve("key.pem");
    }

    private static ServerIdentity identity() {
        Instant now = Instant.now();
        return ServerIdentity.selfSigned("localhost", now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(90)));
    }

    private static final class TrustAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
