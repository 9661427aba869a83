// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.mail;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.DisplayText;
import dev.porchlight.server.mail.MailRenderer.Rendered;
import dev.porchlight.server.mail.SmtpUrl.Security;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.UnsupportedEncodingException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Objects;
import java.util.Properties;
import javax.net.ssl.SSLSocketFactory;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.jspecify.annotations.Nullable;

/**
 * The connection to the mail server. Each operation opens a new one, with timeouts for each response, and ends when its thread is
 * interrupted. Thread-safe.
 */
public final class SmtpServer {
    private final SmtpUrl url;
    private final String from;
    private final String name;
    private final Session session;

    /**
     * Sends mails from an address.
     *
     * @param name of the sender
     * @param origin of this service, whose host is its name for the mail server
     * @param timeout to connect, and for each response
     */
    public SmtpServer(SmtpUrl url, String from, String name, String origin, Duration timeout) {
        this(url, from, name, origin, timeout, (SSLSocketFactory) SSLSocketFactory.getDefault());
    }

    /**
     * The same for other certificates.
     *
     * @param tls decides which certificates of the server are trusted
     */
    SmtpServer(SmtpUrl url, String from, String name, String origin, Duration timeout, SSLSocketFactory tls) {
        this.url = url;
        this.from = from;
        this.name = DisplayText.visible(name);
        Properties properties = new Properties();
        String millis = Long.toString(timeout.toMillis());
        set(properties, "host", url.host().replaceAll("[\\[\\]]", ""));
        set(properties, "port", Integer.toString(url.port()));
        set(properties, "localhost", URI.create(origin).getHost());
        set(properties, "from", from);
        set(properties, "connectiontimeout", millis);
        set(properties, "timeout", millis);
        set(properties, "writetimeout", millis);
        set(properties, "usesocketchannels", "true"); // an interrupt closes the connection
        set(properties, "quitwait", "false");
        set(properties, "auth", Boolean.toString(url.user() != null));
        set(properties, "auth.mechanisms", "PLAIN LOGIN");
        set(properties, "ssl.enable", Boolean.toString(url.security() == Security.TLS));
        set(properties, "starttls.enable", Boolean.toString(url.security() == Security.STARTTLS));
        set(properties, "starttls.required", Boolean.toString(url.security() == Security.STARTTLS));
        set(properties, "ssl.checkserveridentity", "true");
        set(properties, "socketFactory.fallback", "false"); // the first failure names the cause
        properties.put("mail.smtp.ssl.socketFactory", tls);
        session = Session.getInstance(properties);
    }

    private static void set(Properties properties, String name, String value) {
        properties.setProperty("mail.smtp." + name, value);
    }

    /** Connects and authenticates, and sends nothing. */
    public void check() throws MailException {
        try {
            close(connect());
        } catch (MessagingException e) {
            throw failure(e, "");
        }
    }

    /**
     * Sends a mail.
     *
     * @param id the same for each attempt, so that mail programs recognize copies
     */
    void send(String id, String to, Rendered mail, long now) throws MailException {
        try {
            MimeMessage message = new MimeMessage(session) {
                @Override
                protected void updateMessageID() throws MessagingException {
                    setHeader("Message-ID", '<' + id + from.substring(from.indexOf('@')) + '>');
                }
            };
            message.setFrom(new InternetAddress(from, name, UTF_8.name()));
            message.setRecipient(Message.RecipientType.TO, new InternetAddress(to, true));
            message.setSubject(mail.subject(), UTF_8.name());
            message.setSentDate(Date.from(Instant.ofEpochMilli(now)));
            message.setHeader("Auto-Submitted", "auto-generated"); // no automatic response
            message.setHeader("Content-Language", mail.language());
            message.setContent(new MimeMultipart("alternative", part(mail.text(), "plain"), part(mail.html(), "html")));
            message.saveChanges();
            Transport transport = connect();
            try {
                transport.sendMessage(message, message.getAllRecipients());
            } finally {
                close(transport);
            }
        } catch (MessagingException | UnsupportedEncodingException e) {
            throw failure(e, to);
        }
    }

    private static MimeBodyPart part(String text, String type) throws MessagingException {
        MimeBodyPart part = new MimeBodyPart();
        part.setText(text, UTF_8.name(), type);
        return part;
    }

    private Transport connect() throws MessagingException {
        Transport transport = session.getTransport("smtp");
        transport.connect(url.user(), url.password());
        return transport;
    }

    private static void close(Transport transport) {
        try {
            transport.close();
        } catch (MessagingException e) {
            // the server has accepted the mail, or the first failure is reported
        }
    }

    private static MailException failure(Exception failure, String to) {
        boolean permanent = false;
        Throwable last = failure;
        for (Throwable cause = failure; cause != null; cause = next(cause)) {
            permanent |= cause instanceof SMTPAddressFailedException refused && refused.getReturnCode() / 100 == 5;
            last = cause;
        }
        String text =
                Objects.requireNonNullElse(last.getMessage(), last.getClass().getSimpleName());
        String reason = text.replaceAll("\\s+", " ").strip();
        return new MailException(to.isEmpty() ? reason : reason.replace(to, "the address"), permanent, failure);
    }

    private static @Nullable Throwable next(Throwable cause) {
        return cause instanceof MessagingException chained ? chained.getNextException() : cause.getCause();
    }

    @Override
    public String toString() {
        return url.toString();
    }
}
