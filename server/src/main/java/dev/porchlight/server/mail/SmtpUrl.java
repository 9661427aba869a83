// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.mail;

import dev.porchlight.server.storage.DatabaseUrl;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The mail server that {@code SMTP_URL} names: {@code smtp://USER:PASSWORD@HOST:PORT} with STARTTLS, or {@code smtps://} with TLS
 * from the start. Credentials are sent only over TLS, or to this machine. Immutable.
 */
public record SmtpUrl(
        String host,
        int port,
        Security security,
        @Nullable String user,
        @Nullable String password) {
    private static final int SUBMISSION = 587;
    private static final int SUBMISSIONS = 465;
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String PLAIN = "starttls=off";

    /** How the connection is protected. */
    public enum Security {
        /** From the start. */
        TLS,
        /** A server without it is refused. */
        STARTTLS,
        /** Not at all: the server is on this machine, or the operator chose it. */
        NONE
    }

    /** Parses a URL; an {@link IllegalArgumentException} describes accepted URLs without repeating a password. */
    public static SmtpUrl parse(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw invalid();
        }
        boolean tls = "smtps".equals(uri.getScheme());
        String host = uri.getHost();
        String credentials = uri.getRawUserInfo();
        String query = uri.getRawQuery();
        int colon = credentials == null ? -1 : credentials.indexOf(':');
        if (!tls && !"smtp".equals(uri.getScheme())
                || host == null
                || uri.getPort() == 0
                || uri.getPort() > 65_535
                || !uri.getRawPath().matches("/?")
                || uri.getRawFragment() != null
                || credentials != null && (colon < 1 || colon == credentials.length() - 1)) {
            throw invalid();
        }
        boolean plain = PLAIN.equals(query);
        if (query != null && (tls || !plain)) {
            throw new IllegalArgumentException("has an unknown option: only smtp://HOST?" + PLAIN + " is accepted");
        }
        boolean local = LOOPBACK.contains(host);
        if (plain && credentials != null && !local) {
            throw new IllegalArgumentException("would send the password without TLS: remove ?" + PLAIN);
        }
        return new SmtpUrl(
                host,
                uri.getPort() > 0 ? uri.getPort() : tls ? SUBMISSIONS : SUBMISSION,
                tls ? Security.TLS : plain || local ? Security.NONE : Security.STARTTLS,
                credentials == null ? null : DatabaseUrl.decode(credentials.substring(0, colon)),
                credentials == null ? null : DatabaseUrl.decode(credentials.substring(colon + 1)));
    }

    private static IllegalArgumentException invalid() {
        return new IllegalArgumentException("must be smtp://USER:PASSWORD@HOST:PORT or smtps://USER:PASSWORD@HOST:PORT;"
                + " write / @ : and % in a password as %2F %40 %3A and %25");
    }

    /** Without user and password, which must not be logged. */
    @Override
    public String toString() {
        return (security == Security.TLS ? "smtps" : "smtp") + "://" + host + ':' + port;
    }
}
