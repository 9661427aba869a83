// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.server.outbox.Channel.Result;
import dev.porchlight.server.outbox.Delivery;
import dev.porchlight.server.outbox.Delivery.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MailSenderTest {
    private static final String PAYLOAD = new MailMessage("ada@recipients.example", "", null, "", 0, 0).toJson();

    private final AtomicInteger open = new AtomicInteger();

    @ParameterizedTest
    @EnumSource
    void a_server_that_responds_byte_by_byte_holds_no_sender(SmtpUrl.Security security) throws Exception {
        try (ServerSocket dripping = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            new Thread(() -> accept(dripping)).start();
            SmtpUrl url = new SmtpUrl("127.0.0.1", dripping.getLocalPort(), security, null, null);
            SmtpServer server = new SmtpServer(
                    url,
                    "from@porchlight.example",
                    "Name",
                    "https://porchlight.test",
                    Duration.ofSeconds(10),
                    (SSLSocketFactory) SSLSocketFactory.getDefault());
            try (MailSender sender = new MailSender(
                    server, MailRendererTest.renderer("Name"), Duration.ofMillis(300), Clock.systemUTC())) {
                List<CompletableFuture<Result>> attempts = Stream.generate(() -> sender.send(mail(), PAYLOAD))
                        .limit(sender.concurrency())
                        .toList();
                for (CompletableFuture<Result> attempt : attempts) {
                    assertThat(attempt.get(1, TimeUnit.MINUTES))
                            .isEqualTo(new Result("the mail server took too long", false));
                }
                await().until(() -> open.get() == 0);
            }
        }
    }

    private static Delivery mail() {
        return new Delivery("mail_1", Kind.MAIL, "", Notice.TEST.code(), 1, 0, 0L, null, null);
    }

    private void accept(ServerSocket server) {
        try {
            while (true) {
                Socket client = server.accept();
                new Thread(() -> drip(client)).start();
            }
        } catch (IOException e) {
            // closed
        }
    }

    /** The start of a TLS record, or of a greeting, that never ends. */
    private void drip(Socket client) {
        open.incrementAndGet();
        try (client) {
            client.getOutputStream().write(new byte[] {22, 3, 3, 64, 0});
            while (true) {
                client.getOutputStream().write('2');
                TimeUnit.MILLISECONDS.sleep(20);
            }
        } catch (IOException | InterruptedException e) {
            open.decrementAndGet(); // the client has closed the connection
        }
    }
}
