// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.StringJoiner;

/** A connection to a Redis server that returns responses as text. Not thread-safe. */
final class RedisConnection implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 60_000;

    private final Socket socket = new Socket();
    private final InputStream in;

    RedisConnection(int port) throws IOException {
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends a command and returns the response: a string, a number, the lines of a list, or an empty string for nil. */
    String send(String... command) throws IOException {
        var request = new ByteArrayOutputStream();
        request.writeBytes(("*" + command.length + "\r\n").getBytes(UTF_8));
        for (String word : command) {
            byte[] bytes = word.getBytes(UTF_8);
            request.writeBytes(("$" + bytes.length + "\r\n").getBytes(UTF_8));
            request.writeBytes(bytes);
            request.writeBytes(new byte[] {'\r', '\n'});
        }
        socket.getOutputStream().write(request.toByteArray());
        return response();
    }

    private String response() throws IOException {
        String head = line();
        String rest = head.substring(1);
        return switch (head.charAt(0)) {
            case '+', ':' -> rest;
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> list(Integer.parseInt(rest));
            case '-' -> throw new IOException(rest);
            default -> throw new IOException("invalid response: " + head);
        };
    }

    private String bulk(int length) throws IOException {
        if (length < 0) {
            return "";
        }
        byte[] bytes = in.readNBytes(length + 2);
        if (bytes.length < length + 2) {
            throw new EOFException("the server closed the connection");
        }
        return new String(bytes, 0, length, UTF_8);
    }

    private String list(int length) throws IOException {
        StringJoiner lines = new StringJoiner("\n");
        for (int i = 0; i < length; i++) {
            lines.add(response());
        }
        return lines.toString();
    }

    private String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the server closed the connection");
            }
            line.write(next);
        }
        String text = line.toString(UTF_8);
        if (text.length() < 2) {
            throw new IOException("invalid response: " + text);
        }
        return text.substring(0, text.length() - 1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
