// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.testkit.attestation.ServerIdentity;
import dev.porchlight.testkit.server.MailServer;
import dev.porchlight.testkit.server.MissingProgramException;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** The mail server that the service is tested on, and the mails that it received. */
public final class TestMail {
    private TestMail() {}

    public static ServerIdentity identity() {
        Instant now = Instant.now();
        return ServerIdentity.selfSigned("localhost", now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(1)));
    }

    /** A new server. */
    public static MailServer start(ServerIdentity identity) {
        try {
            return MailServer.start(identity.certificatePem() + identity.keyPem());
        } catch (MissingProgramException e) {
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(e.getMessage());
            }
            System.err.println("Skipped: " + e.getMessage());
            return Assumptions.abort(e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A mail as its recipient reads it. */
    record Received(MimeMessage message, String to, String subject, String text, String html) {
        /** The link that leads to this prefix. */
        String link(String prefix) {
            return text.lines()
                    .filter(line -> line.startsWith(prefix))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(text));
        }

        String header(String name) {
            try {
                return String.valueOf(message.getHeader(name, null));
            } catch (MessagingException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** The mails to an address. */
    static List<Received> received(MailServer server, String to) {
        List<Received> received = new ArrayList<>();
        try {
            for (String mail : server.mails()) {
                MimeMessage message =
                        new MimeMessage(null, new ByteArrayInputStream(mail.getBytes(StandardCharsets.UTF_8)));
                MimeMultipart parts = (MimeMultipart) message.getContent();
                Received read = new Received(
                        message,
                        message.getRecipients(Message.RecipientType.TO)[0].toString(),
                        message.getSubject(),
                        (String) parts.getBodyPart(0).getContent(),
                        (String) parts.getBodyPart(1).getContent());
                if (read.to().equals(to)) {
                    received.add(read);
                }
            }
        } catch (MessagingException | IOException e) {
            throw new AssertionError(e);
        }
        return received;
    }
}
