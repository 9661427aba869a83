// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The responses to raw bytes.
 *
 * @param text all received text
 * @param closed whether the peer closed the connection
 */
record RawResponses(String text, boolean closed) {
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3})");
    /** For a peer that may leave the connection open. */
    private static final int SILENCE_MILLIS = 2_000;
    /** For a peer that must close the connection, however slow the machine is. */
    private static final int TIMEOUT_MILLIS = 20_000;

    /** The responses of a peer that may leave the connection open. */
    static RawResponses to(int port, String request) throws IOException {
        return to(port, request, SILENCE_MILLIS);
    }

    /** The responses until the peer closes the connection, as it must. */
    static RawResponses untilClosed(int port, String request) throws IOException {
        return to(port, request, TIMEOUT_MILLIS);
    }

    private static RawResponses to(int port, String request, int timeoutMillis) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(timeoutMillis);
            send(socket.getOutputStream(), request);
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[8_192];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                read.write(buffer, 0, count);
            }
            return new RawResponses(read.toString(ISO_8859_1), true);
        } catch (SocketTimeoutException stillOpen) {
            return new RawResponses(read.toString(ISO_8859_1), false);
        } catch (IOException reset) {
            return new RawResponses(read.toString(ISO_8859_1), true);
        }
    }

    int count() {
        return Math.toIntExact(STATUS.matcher(text).results().count());
    }

    /** The status of the first response, or 0 if there was no response. */
    int status() {
        Matcher matcher = STATUS.matcher(text);
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    /** Whether a health request got a response. */
    boolean containsHealth() {
        return text.contains("\"status\":\"ok\"");
    }

    @Override
    public String toString() {
        return count() + " responses, " + status() + (closed ? ", closed" : ", open");
    }

    /** Tolerates a peer that responds and closes before everything is sent. */
    private static void send(OutputStream out, String request) {
        try {
            out.write(request.getBytes(ISO_8859_1));
            out.flush();
        } catch (IOException alreadyClosed) {
            // the response may still be readable
        }
    }
}
