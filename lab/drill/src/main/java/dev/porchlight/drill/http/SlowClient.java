// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A deliberately slow connection. Not thread-safe. */
final class SlowClient implements AutoCloseable {
    private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";

    /** The slow part of a request. */
    enum Kind {
        /** An endless header. */
        HEADERS("GET /auth/session" + HOST + "X-Slow: "),
        /** A body sent one byte at a time. */
        BODY("POST /auth/signup" + HOST + "Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"),
        /** Many requested responses, never read. */
        READING(("GET /openapi.json" + HOST + "\r\n").repeat(200));

        private final String begin;

        Kind(String begin) {
            this.begin = begin;
        }
    }

    private final Kind kind;
    private final SocketChannel channel;
    private final ByteBuffer unsent;

    SlowClient(int port, Kind kind) throws IOException {
        this.kind = kind;
        unsent = ByteBuffer.wrap(kind.begin.getBytes(US_ASCII));
        channel = SocketChannel.open();
        if (kind == Kind.READING) {
            channel.socket().setReceiveBufferSize(1_024);
        }
        channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.configureBlocking(false);
        channel.write(unsent);
    }

    /** Sends a little more and returns whether the connection is still open. */
    boolean sendMore() throws IOException {
        try {
            if (unsent.hasRemaining()) {
                channel.write(unsent);
            } else if (kind != Kind.READING) {
                channel.write(ByteBuffer.wrap(new byte[] {'a'}));
            }
            return kind == Kind.READING ? isOpen() : channel.read(ByteBuffer.allocate(4_096)) >= 0;
        } catch (IOException closed) {
            return false;
        }
    }

    /** A client that does not read notices the end only by sending: the peer responds with a reset. */
    private boolean isOpen() throws IOException {
        channel.write(ByteBuffer.wrap(new byte[] {'\r', '\n'}));
        return true;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
