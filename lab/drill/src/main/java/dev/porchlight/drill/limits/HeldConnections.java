// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.limits;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The connections of a client that opens as many as it can and finishes nothing. Closes its oldest beyond a limit, so
 * that this process keeps file descriptors for others. Not thread-safe.
 */
final class HeldConnections implements AutoCloseable {
    private static final int MOST = 4_000;
    private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";

    /** Sends nothing. */
    static final String IDLE = "";
    /** Headers of 8 KB without their last bytes. */
    static final String HEADERS = "GET /auth/session" + HOST + "X-Held: " + "a".repeat(7_900);
    /** A body of 64 KB without its last byte. */
    static final String BODY = "POST /auth/signup" + HOST
            + "Content-Type: application/json\r\nContent-Length: 65536\r\n\r\n" + "a".repeat(65_535);
    /** Many requests whose responses are never read. */
    static final String UNREAD = ("GET /openapi.json" + HOST + "\r\n").repeat(40);

    private final InetSocketAddress service;
    private final InetAddress from;
    private final Deque<SocketChannel> open = new ArrayDeque<>();
    private int refused;

    HeldConnections(int port, String from) throws IOException {
        service = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.from = InetAddress.getByName(from);
    }

    /** Opens a connection and sends as much of the text as the service accepts. */
    void open(String text) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.socket().setReceiveBufferSize(1_024);
            channel.socket().setSendBufferSize(128 * 1_024);
            channel.bind(new InetSocketAddress(from, 0));
            channel.socket().connect(service, 2_000);
            channel.configureBlocking(false);
            channel.write(ByteBuffer.wrap(text.getBytes(US_ASCII)));
            open.add(channel);
        } catch (IOException closed) {
            refused++;
            channel.close();
        }
        if (open.size() > MOST) {
            open.remove().close();
        }
    }

    /** The number of connections that could not be opened. */
    int refused() {
        return refused;
    }

    @Override
    public void close() throws IOException {
        while (!open.isEmpty()) {
            open.remove().close();
        }
    }
}
