// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.remote;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The responses to bytes that no HTTP client would send.
 *
 * @param text all received text
 * @param closed whether the peer closed the connection
 */
public record RawResponses(String text, boolean closed) {
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3})");
    private static final int MOST_BYTES = 65_536;

    /** Sends Latin-1 text and reads until the peer closes the connection or sends nothing for the socket's timeout. */
    public static RawResponses to(Socket socket, String octets) {
        try {
            send(socket, octets);
        } catch (IOException alreadyClosed) {
            // the response may still be readable
        }
        return read(socket);
    }

    /** The same on a new connection to a local port. */
    public static RawResponses to(int port, String octets, Duration silence) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(Math.toIntExact(silence.toMillis()));
            return to(socket, octets);
        } catch (IOException refused) {
            return new RawResponses("", true);
        }
    }

    public static void send(Socket socket, String octets) throws IOException {
        socket.getOutputStream().write(octets.getBytes(ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Reads until the peer closes the connection or sends nothing for the socket's timeout. */
    public static RawResponses read(Socket socket) {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        boolean closed = true;
        try {
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[8_192];
            for (int count = in.read(buffer); count >= 0 && read.size() < MOST_BYTES; count = in.read(buffer)) {
                read.write(buffer, 0, count);
            }
        } catch (SocketTimeoutException stillOpen) {
            closed = false;
        } catch (IOException reset) {
            // closed, too
        }
        return new RawResponses(read.toString(ISO_8859_1), closed);
    }

    public int count() {
        return Math.toIntExact(STATUS.matcher(text).results().count());
    }

    /** The status of the first response, or 0 if there was no response. */
    public int status() {
        Matcher matcher = STATUS.matcher(text);
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    /** The last response: the one to a request hidden behind the first. */
    public TestResponse last() {
        Matcher matcher = STATUS.matcher(text);
        int begin = -1;
        while (matcher.find()) {
            begin = matcher.start();
        }
        if (begin < 0) {
            return TestResponse.none();
        }
        String[] parts = text.substring(begin).split("\r\n\r\n", 2);
        return TestResponse.parse(parts[0], parts.length == 2 ? parts[1] : "");
    }

    @Override
    public String toString() {
        return count() + " responses, " + status() + (closed ? ", closed" : ", open");
    }
}
