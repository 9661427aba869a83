// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** R17: clients that send a byte per second or read nothing, while users sign in. */
public final class SlowClients {
    private static final int WORKERS = 16;
    private static final Duration LONGEST = Duration.ofSeconds(45);

    public void run(TestBed bed) throws IOException, InterruptedException {
        int slow = bed.rounds(2_000, 150);
        Instance service = bed.start(bed.service());
        long before = service.descriptors();
        Loop load = bed.signIns("user-", service, WORKERS, 50, Duration.ofSeconds(bed.rounds(10, 2)));
        List<SlowClient> clients = new ArrayList<>();
        SlowClient.Kind[] kinds = SlowClient.Kind.values();
        for (int i = 0; i < slow; i++) {
            clients.add(bed.stopAtEnd(new SlowClient(service.port(), kinds[i % kinds.length])));
        }
        long begin = load.now();
        long most = service.descriptors();
        int open = clients.size();
        while (open > 0 && load.now() - begin < LONGEST.toNanos()) {
            Thread.sleep(1_000);
            open = 0;
            for (SlowClient client : clients) {
                open += client.sendMore() ? 1 : 0;
            }
        }
        long lasted = (load.now() - begin) / 1_000_000_000;
        Thread.sleep(1_000);
        Outcome outcome = load.stop();
        bed.expect(outcome.allOk() && outcome.millis(0.99) < 500, "others: %s", outcome);
        bed.expect(open == 0, "%,d slow connections closed within %d s, %d left", slow, lasted, open);
        long after = service.descriptors();
        bed.expect(after <= before + WORKERS + 8, "descriptors %d, %d, %d", before, most, after);
    }

    /** A deliberately slow connection. Not thread-safe. */
    private static final class SlowClient implements AutoCloseable {
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
}
