// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.mail;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.porchlight.server.TestMail;
import dev.porchlight.server.mail.MailRenderer.Rendered;
import dev.porchlight.testkit.attestation.ServerIdentity;
import dev.porchlight.testkit.server.MailServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SmtpServerTest {
    private static final ServerIdentity IDENTITY = TestMail.identity();
    private static final SSLSocketFactory TRUSTING = trusting();

    private static MailServer server;

    @BeforeAll
    static void start() {
        server = TestMail.start(IDENTITY);
    }

    /** The JDK's rules, with the server's certificate as the only root. */
    private static SSLSocketFactory trusting() {
        try {
            KeyStore roots = KeyStore.getInstance("PKCS12");
            roots.load(null, null);
            roots.setCertificateEntry("server", IDENTITY.certificate());
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(roots);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterAll
    static void stop() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    private static SmtpServer of(
            SmtpUrl.Security security, String host, int port, String password, SSLSocketFactory tls) {
        SmtpUrl url = new SmtpUrl(host, port, security, MailServer.USER, password);
        return new SmtpServer(
                url, "from@porchlight.example", "Name", "https://porchlight.test", Duration.ofSeconds(10), tls);
    }

    private static int port(SmtpUrl.Security security) {
        return security == SmtpUrl.Security.TLS ? server.securePort() : server.port();
    }

    @ParameterizedTest
    @CsvSource({"TLS", "STARTTLS", "NONE"})
    void a_server_is_used_with_credentials(SmtpUrl.Security security) {
        SmtpServer smtp = of(security, "localhost", port(security), MailServer.PASSWORD, TRUSTING);

        assertThatCode(smtp::check).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"TLS", "STARTTLS"})
    void a_server_whose_certificate_is_not_trusted_gets_no_password(SmtpUrl.Security security) {
        SSLSocketFactory jdk = (SSLSocketFactory) SSLSocketFactory.getDefault();
        SmtpServer smtp = of(security, "localhost", port(security), MailServer.PASSWORD, jdk);

        assertThatThrownBy(smtp::check).isInstanceOf(MailException.class).hasMessageContaining("certification path");
    }

    @ParameterizedTest
    @CsvSource({"TLS", "STARTTLS"})
    void a_server_with_a_certificate_for_another_host_gets_no_password(SmtpUrl.Security security) {
        SmtpServer smtp = of(security, "127.0.0.1", port(security), MailServer.PASSWORD, TRUSTING);

        assertThatThrownBy(smtp::check).isInstanceOf(MailException.class).hasMessageContaining("127.0.0.1");
    }

    @Test
    void a_wrong_password_is_reported_without_it() {
        SmtpServer smtp = of(SmtpUrl.Security.STARTTLS, "localhost", server.port(), "wr0ng-secret", TRUSTING);

        assertThatThrownBy(smtp::check)
                .isInstanceOf(MailException.class)
                .hasMessageContaining("535")
                .satisfies(e -> assertThat(e.toString()).doesNotContain("wr0ng-secret"));
    }

    @Test
    void a_server_that_removes_starttls_gets_no_password() throws Exception {
        try (ServerSocket stripping = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            StringBuilder heard = new StringBuilder();
            Thread thread = new Thread(() -> respond(stripping, heard));
            thread.start();
            SmtpServer smtp =
                    of(SmtpUrl.Security.STARTTLS, "localhost", stripping.getLocalPort(), "hush-hush", TRUSTING);

            assertThatThrownBy(smtp::check).isInstanceOf(MailException.class).hasMessageContaining("STARTTLS");

            thread.join();
            assertThat(heard.toString()).startsWith("EHLO porchlight.test").doesNotContain("AUTH");
        }
    }

    private static void respond(ServerSocket server, StringBuilder heard) {
        try (Socket socket = server.accept()) {
            socket.getOutputStream().write("220 ready\r\n".getBytes(US_ASCII));
            byte[] buffer = new byte[1_000];
            for (int read = socket.getInputStream().read(buffer);
                    read > 0;
                    read = socket.getInputStream().read(buffer)) {
                heard.append(new String(buffer, 0, read, US_ASCII));
                socket.getOutputStream().write("250-mail.test\r\n250 AUTH PLAIN\r\n".getBytes(US_ASCII));
            }
        } catch (IOException e) {
            // the client has closed the connection
        }
    }

    @Test
    void a_server_that_hangs_fails_after_the_timeout() throws Exception {
        try (ServerSocket hanging = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            SmtpUrl url = SmtpUrl.parse("smtp://127.0.0.1:" + hanging.getLocalPort());
            SmtpServer smtp = new SmtpServer(
                    url,
                    "from@porchlight.example",
                    "Name",
                    "https://porchlight.test",
                    Duration.ofMillis(100),
                    TRUSTING);

            assertThatThrownBy(smtp::check).isInstanceOf(MailException.class).hasMessageContaining("timed out");
        }
    }

    @Test
    void a_name_and_a_subject_with_line_breaks_add_no_header() throws Exception {
        SmtpUrl url = SmtpUrl.parse(server.url());
        SmtpServer smtp = new SmtpServer(
                url,
                "from@porchlight.example",
                "Name\r\nBcc: evil@evil.example",
                "https://porchlight.test",
                Duration.ofSeconds(10),
                TRUSTING);
        Rendered mail = MailRendererTest.renderer("A\r\nX-Evil: yes")
                .render(Notice.TEST, new MailMessage("ada@recipients.example", "", null, "", 0, 0));

        smtp.send("mail_1", "ada@recipients.example", mail, 0);

        await().until(() -> !server.mails().isEmpty());
        assertThat(server.mails().get(0)).doesNotContain("\nX-Evil", "\nBcc");
    }
}
