// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.TestRedis;
import dev.porchlight.server.storage.RedisUrl;
import dev.porchlight.testkit.attestation.ServerIdentity;
import dev.porchlight.testkit.server.RedisServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over TLS only a server with a trusted certificate for its host name is used. */
class RedisTlsTest {
    private static final String TRUST_STORE = "javax.net.ssl.trustStore";
    private static final String PASSWORD = "changeit";

    @TempDir
    Path directory;

    private RedisServer server;
    private int port;

    @BeforeEach
    void start() throws Exception {
        ServerIdentity identity = ServerIdentity.selfSigned(
                "localhost",
                Instant.now().minus(Duration.ofDays(1)),
                Instant.now().plus(Duration.ofDays(1)));
        Path certificate = Files.writeString(directory.resolve("certificate.pem"), identity.certificatePem());
        Path key = Files.writeString(directory.resolve("key.pem"), identity.keyPem());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("redis", identity.certificate());
        try (OutputStream file = Files.newOutputStream(directory.resolve("trusted.p12"))) {
            trusted.store(file, PASSWORD.toCharArray());
        }
        port = freePort();
        server = TestRedis.start(
                "--tls-port",
                Integer.toString(port),
                "--tls-cert-file",
                certificate.toString(),
                "--tls-key-file",
                key.toString(),
                "--tls-auth-clients",
                "no");
    }

    @AfterEach
    void stop() throws IOException {
        System.clearProperty(TRUST_STORE);
        System.clearProperty(TRUST_STORE + "Password");
        if (server != null) {
            server.close();
        }
    }

    @Test
    void a_trusted_server_is_used() {
        trust();

        assertThat(faultOf("rediss://localhost:" + port)).isNull();
    }

    @Test
    void a_server_with_an_untrusted_certificate_is_refused() {
        assertThat(faultOf("rediss://localhost:" + port)).isNotNull();
    }

    @Test
    void a_trusted_certificate_for_another_host_is_refused() {
        trust();

        assertThat(faultOf("rediss://127.0.0.1:" + port)).isNotNull();
    }

    @Test
    void nothing_is_sent_unencrypted_to_a_server_without_tls() {
        trust();

        assertThat(faultOf("rediss://localhost:" + server.port())).isNotNull();
    }

    private void trust() {
        System.setProperty(TRUST_STORE, directory.resolve("trusted.p12").toString());
        System.setProperty(TRUST_STORE + "Password", PASSWORD);
    }

    private static String faultOf(String url) {
        try (Redis redis = Redis.open(RedisUrl.parse(url))) {
            return redis.fault();
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
