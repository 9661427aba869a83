// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.wire.Octets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Sends bytes that no HTTP client would send. */
final class RawConnection {
    private static final int TIMEOUT_MS = 20_000;
    private static final int MOST_BYTES = 65_536;

    private RawConnection() {}

    /** Sends Latin-1 text and reads until the peer closes the connection, at most 20 seconds. */
    static TestResponse exchange(URI base, String octets) {
        return parse(text(base, octets));
    }

    /** Like {@code exchange}, but returns the raw text; empty if the connection was closed without a response. */
    static String text(URI base, String octets) {
        try (Socket socket = open(base)) {
            send(socket, octets);
            return Octets.text(read(socket));
        } catch (IOException e) {
            return "";
        }
    }

    static void send(Socket socket, String octets) throws IOException {
        socket.getOutputStream().write(octets.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Reads the response until the peer closes the connection, at most 20 seconds. */
    static TestResponse receive(Socket socket) {
        return parse(Octets.text(read(socket)));
    }

    /** Opens a connection with a read timeout of 20 seconds. */
    static Socket open(URI base) throws IOException {
        boolean tls = "https".equals(base.getScheme());
        int port = base.getPort() >= 0 ? base.getPort() : tls ? 443 : 80;
        Socket plain = new Socket();
        plain.connect(new InetSocketAddress(base.getHost(), port), TIMEOUT_MS);
        plain.setSoTimeout(TIMEOUT_MS);
        if (!tls) {
            return plain;
        }
        var factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
        var secure = (SSLSocket) factory.createSocket(plain, base.getHost(), port, true);
        SSLParameters parameters = secure.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secure.setSSLParameters(parameters);
        return secure;
    }

    private static byte[] read(Socket socket) {
        byte[] all = new byte[0];
        byte[] part = new byte[8_192];
        try {
            int count = socket.getInputStream().read(part);
            while (count >= 0 && all.length < MOST_BYTES) {
                all = Octets.join(all, Octets.head(part, count));
                count = socket.getInputStream().read(part);
            }
        } catch (IOException closedOrSilent) {
            return all;
        }
        return all;
    }

    /** Parses the last response: the one to a request hidden behind the first. */
    private static TestResponse parse(String text) {
        int begin = text.lastIndexOf("HTTP/1.1 ");
        if (begin < 0 || text.length() < begin + 12) {
            return TestResponse.none();
        }
        String[] parts = text.substring(begin).split("\r\n\r\n", 2);
        boolean status = parts[0].substring(9, 12).matches("\\d{3}");
        return status ? TestResponse.parse(parts[0], parts.length == 2 ? parts[1] : "") : TestResponse.none();
    }
}
