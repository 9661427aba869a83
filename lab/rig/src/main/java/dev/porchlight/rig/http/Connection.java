// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A persistent HTTP/1.1 connection: opened at the first request, and again after a failure or when the server
 * closed it. Requests are never retried. Deliberately minimal, so that a load generator leaves the
 * cores to the service. Not thread-safe.
 */
public final class Connection implements AutoCloseable {
    private final String host;
    private final int port;
    private final String authority;
    private final int timeoutMillis;
    private final @Nullable InetAddress local;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

    /** A connection to the address's host and port. The timeout bounds each read. */
    public Connection(URI address, Duration timeout) {
        this(address, timeout, null);
    }

    /** A connection from one of this machine's addresses, for example in 127.0.0.0/8. */
    public Connection(URI address, Duration timeout, @Nullable InetAddress local) {
        this.local = local;
        host = address.getHost();
        port = address.getPort() < 0 ? 80 : address.getPort();
        authority = address.getAuthority();
        timeoutMillis = Math.toIntExact(timeout.toMillis());
    }

    public Response get(String path, String... headers) throws IOException {
        return send("GET", path, null, headers);
    }

    public Response post(String path, String json, String... headers) throws IOException {
        return send("POST", path, json, headers);
    }

    /**
     * Sends a request and reads the response.
     *
     * @param json the body, or null
     * @param headers complete header lines, such as {@code Authorization: Bearer …}
     * @throws IOException if the response is incomplete; the server may have processed the request
     */
    public Response send(String method, String path, @Nullable String json, String... headers) throws IOException {
        return send(method, path, json, "application/json", headers);
    }

    /** Sends a form, which is already encoded, and reads the response. */
    public Response postForm(String path, String form, String... headers) throws IOException {
        return send("POST", path, form, "application/x-www-form-urlencoded", headers);
    }

    private Response send(String method, String path, @Nullable String text, String type, String[] headers)
            throws IOException {
        byte[] body = text == null ? new byte[0] : text.getBytes(UTF_8);
        StringBuilder head = new StringBuilder(256)
                .append(method)
                .append(' ')
                .append(path)
                .append(" HTTP/1.1\r\nHost: ")
                .append(authority)
                .append("\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        if (text != null) {
            head.append("Content-Type: ")
                    .append(type)
                    .append("\r\nContent-Length: ")
                    .append(body.length)
                    .append("\r\n");
        }
        byte[] start = head.append("\r\n").toString().getBytes(ISO_8859_1);
        byte[] request = new byte[start.length + body.length];
        System.arraycopy(start, 0, request, 0, start.length);
        System.arraycopy(body, 0, request, start.length, body.length);
        try {
            InputStream input = open();
            output().write(request);
            return read(input, method);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    @Override
    public void close() {
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException alreadyGone) {
                // already closed
            }
            socket = null;
            in = null;
        }
    }

    private InputStream open() throws IOException {
        if (in == null) {
            Socket fresh = new Socket();
            socket = fresh;
            fresh.setTcpNoDelay(true);
            fresh.setSoTimeout(timeoutMillis);
            if (local != null) {
                fresh.bind(new InetSocketAddress(local, 0));
            }
            fresh.connect(new InetSocketAddress(host, port), timeoutMillis);
            in = new BufferedInputStream(fresh.getInputStream(), 4096);
        }
        return in;
    }

    private java.io.OutputStream output() throws IOException {
        if (socket == null) {
            throw new IOException("not connected");
        }
        return socket.getOutputStream();
    }

    private Response read(InputStream input, String method) throws IOException {
        String head = head(input);
        int status = Integer.parseInt(head.substring(9, 12));
        while (status == 100) {
            head = head(input);
            status = Integer.parseInt(head.substring(9, 12));
        }
        String headers = head.toLowerCase(Locale.ROOT);
        byte[] body = new byte[0];
        if (headers.contains("\r\ntransfer-encoding: chunked\r\n")) {
            body = chunks(input);
        } else if (!method.equals("HEAD") && status != 204 && status != 304) {
            int at = headers.indexOf("\r\ncontent-length:");
            body = at < 0 ? input.readAllBytes() : exactly(input, length(headers, at + 17));
        }
        if (headers.contains("\r\nconnection: close\r\n")) {
            close();
        }
        return new Response(status, head, new String(body, UTF_8));
    }

    private static int length(String headers, int from) {
        return Integer.parseInt(
                headers.substring(from, headers.indexOf('\r', from)).strip());
    }

    private static String head(InputStream input) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream(512);
        int newLines = 0;
        while (newLines < 2) {
            int next = input.read();
            if (next < 0) {
                throw new EOFException(head.size() == 0 ? "closed before the response" : "closed within the head");
            }
            newLines = next == '\n' ? newLines + 1 : next == '\r' ? newLines : 0;
            head.write(next);
        }
        return head.toString(ISO_8859_1);
    }

    private static byte[] chunks(InputStream input) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String line = line(input);
            int size = Integer.parseInt(line.split(";", 2)[0].strip(), 16);
            if (size == 0) {
                while (!line(input).isEmpty()) {
                    // a trailer
                }
                return body.toByteArray();
            }
            body.writeBytes(exactly(input, size));
            line(input);
        }
    }

    private static String line(InputStream input) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = input.read(); next != '\n'; next = input.read()) {
            if (next < 0) {
                throw new EOFException("closed within the body");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    private static byte[] exactly(InputStream input, int count) throws IOException {
        byte[] bytes = input.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("closed within the body");
        }
        return bytes;
    }
}
