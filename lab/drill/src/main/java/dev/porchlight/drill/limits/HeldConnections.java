// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.limits;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.porchlight.drill.scenario.Services.SmallService;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** R31 and R32: one address opens as many connections as it can, and finishes nothing. */
public final class HeldConnections {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int WORKERS = 8;
    private static final int LOGINS_PER_SECOND = 20;
    private static final List<String> KINDS = List.of(Held.IDLE, Held.HEADERS, Held.UNREAD);
    /** One address's share of the connections at a heap of 128 MB. */
    private static final int SHARE = 170;

    private HeldConnections() {}

    /** R31: one address opens as many connections as it can. */
    public static void connections(TestBed bed) throws Exception {
        int connections = bed.rounds(9_000, 400);
        SmallService small = bed.services().small();
        Instance service = small.instance();
        Instance management = small.management();
        Loop load = bed.signIns(
                "many-connections-", service, WORKERS, LOGINS_PER_SECOND, Duration.ofSeconds(bed.rounds(20, 1)));
        Held held = bed.stopAtEnd(new Held(service.port(), "127.0.31.1"));
        int unhealthy = 0;
        for (int i = 0; i < connections; i++) {
            held.open(KINDS.get(i % KINDS.size()));
            if (i % 100 == 99) {
                unhealthy += management.get("/health/live").status() == 200 ? 0 : 1;
            }
        }
        double most = management.metric("http_connections_largest_address{listener=\"public\"}");
        boolean after = load.successes(bed.rounds(50, 20)).await(bed.limit(TIMEOUT));
        Outcome outcome = load.stop();
        bed.note("%,d connections opened, %,d refused", connections, held.refused());
        bed.expect(most <= SHARE, "the address had %.0f at the end", most);
        bed.expect(unhealthy == 0, "%d of %d requests to the management port failed", unhealthy, connections / 100);
        bed.expect(
                after && outcome.allOk() && outcome.millis(0.99) < bed.limit(500),
                "others: %s %s",
                outcome,
                outcome.failures());
    }

    /** R32: one address sends many unfinished requests to a service with little memory. */
    public static void requests(TestBed bed) throws Exception {
        int headers = bed.rounds(7_500, 1_500);
        int bodies = bed.rounds(510, 150);
        SmallService small = bed.services().small();
        Instance service = small.instance();
        Instance management = small.management();
        Loop load = bed.signIns(
                "unfinished-requests-", service, WORKERS, LOGINS_PER_SECOND, Duration.ofSeconds(bed.rounds(20, 0)));
        Held held = bed.stopAtEnd(new Held(service.port(), "127.0.32.1"));
        for (int i = 0; i < headers; i++) {
            held.open(Held.HEADERS);
        }
        for (int i = 0; i < bodies; i++) {
            held.open(Held.BODY);
        }
        boolean after = load.successes(bed.rounds(50, 20)).await(bed.limit(TIMEOUT));
        double bytes = management.metric("http_request_body_bytes_held");
        double displaced = management.metric("http_connections_displaced_total");
        held.close();
        Event free = () -> management.metric("http_request_body_bytes_held") == 0
                && management.metric("http_connections_largest_address") <= 2 * WORKERS;
        boolean freed = free.await(bed.limit(TIMEOUT));
        Outcome outcome = load.stop();
        bed.note(
                "%,d headers and %,d bodies; %,.0f kB held for bodies, %,.0f connections closed to make room",
                headers, bodies, bytes / 1_024, displaced);
        bed.expect(after && outcome.allOk(), "others: %s %s", outcome, outcome.failures());
        bed.expect(freed, "memory free again: %s", freed);
        bed.expect(
                service.process().isAlive() && !service.log().contains("OutOfMemoryError"),
                "the service is alive, %,d kB in RAM",
                service.residentKb());
    }

    /**
     * The connections of a client that opens as many as it can and finishes nothing. Closes its oldest beyond a limit, so
     * that this process keeps file descriptors for others. Not thread-safe.
     */
    private static final class Held implements AutoCloseable {
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

        Held(int port, String from) throws IOException {
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
}
