// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Transport;
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
import org.jspecify.annotations.Nullable;

/**
 * A persistent HTTP/1.1 connection: opened at the first request, and again after a failure or when the server
 * closed it. Requests are never retried. Deliberately minimal, so that a load generator leaves the
 * cores to the service. Not thread-safe.
 */
public final class Connection implements Transport, AutoCloseable {
    private final URI address;
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
        this.address = address;
        timeoutMillis = Math.toIntExact(timeout.toMillis());
    }

    @Override
    public URI address() {
        return address;
    }

    @Override
    public TestResponse send(String method, String path, @Nullable String text, String... headers) throws IOException {
        byte[] body = text == null ? new byte[0] : text.getBytes(UTF_8);
        StringBuilder head = new StringBuilder(256)
                .append(method)
                .append(' ')
                .append(path)
                .append(" HTTP/1.1\r\nHost: ")
                .append(address.getAuthority())
                .append("\r\n");
        for (int i = 0; i < headers.length; i += 2) {
            head.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
        }
        if (text != null) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
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
            int port = address.getPort() < 0 ? 80 : address.getPort();
            fresh.connect(new InetSocketAddress(address.getHost(), port), timeoutMillis);
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

    private TestResponse read(InputStream input, String method) throws IOException {
        TestResponse response = TestResponse.parse(head(input), "");
        while (response.status() == 100) {
            response = TestResponse.parse(head(input), "");
        }
        int status = response.status();
        byte[] body = new byte[0];
        if ("chunked".equalsIgnoreCase(response.header("Transfer-Encoding"))) {
            body = chunks(input);
        } else if (!method.equals("HEAD") && status != 204 && status != 304) {
            String length = response.header("Content-Length");
            body = length == null ? input.readAllBytes() : exactly(input, Integer.parseInt(length));
        }
        if ("close".equalsIgnoreCase(response.header("Connection"))) {
            close();
        }
        return response.withBody(new String(body, UTF_8));
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
