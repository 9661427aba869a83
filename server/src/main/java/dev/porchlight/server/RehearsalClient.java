// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A connection to the service. Does not use the JDK's HTTP client, which would be archived with the service. Not thread-safe. */
final class RehearsalClient implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");

    private final Socket socket;
    private final InputStream in;

    /** A response: status line and body. */
    record Response(String status, String body) {
        /** Returns the text of the first JSON member with this name, at any depth. */
        String field(String name) {
            Matcher member = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(body);
            if (!member.find()) {
                throw new IllegalStateException(status + ": no member " + name);
            }
            return member.group(1);
        }
    }

    RehearsalClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /**
     * Sends a request and reads its response.
     *
     * @param headers further header lines, each ending in CRLF
     */
    Response send(String request, String headers, String body) throws IOException {
        byte[] content = body.getBytes(UTF_8);
        String head = request + " HTTP/1.1\r\nHost: localhost:" + socket.getPort()
                + "\r\nContent-Type: application/json\r\nContent-Length: " + content.length + "\r\n" + headers + "\r\n";
        socket.getOutputStream().write((head + body).getBytes(UTF_8));
        String response = head();
        Matcher length = LENGTH.matcher(response);
        byte[] received = in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
        return new Response(response.substring(0, response.indexOf('\r')), new String(received, UTF_8));
    }

    private String head() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException();
            }
            head.append((char) next);
        }
        return head.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
