// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.support.Patience;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Clients that stall over TLS and HTTP/2: each is disconnected and counted. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class SlowClientsTest {
    private static final int STILL_ALIVE = 10 * Patience.SECONDS;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GO_AWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final Limits SHORT = new Limits(
            100_000,
            2_048,
            new Limits.Timeouts(Duration.ofSeconds(3), Duration.ofSeconds(4), Duration.ofMillis(500), 100_000_000),
            100,
            100,
            Limits.of(0).concurrency(), // a request that was sent still counts for a moment
            Limits.BODY_BUDGET);

    private final TestTls tls = new TestTls();
    private final BlockingQueue<Integer> statuses = new LinkedBlockingQueue<>();
    private final HttpServer server = QuietServer.with(SHORT, this::note);

    @BeforeEach
    void start() throws Exception {
        Router router = Router.builder(new AnyCaller())
                .get("/", Access.PUBLIC, exchange -> Response.of(200, "text/plain", new byte[1_000]))
                .get("/much", Access.PUBLIC, exchange -> Response.of(200, "text/plain", new byte[50_000]))
                .post("/", Access.PUBLIC, exchange -> Response.of(200, "text/plain", exchange.body()))
                .build();
        server.listen("plain", "127.0.0.1", 0, router, null)
                .listen("tls", "127.0.0.1", 0, router, tls.store())
                .start();
    }

    @AfterEach
    void stop() {
        server.stop(Duration.ZERO);
    }

    @Test
    void a_tls_handshake_that_trickles_in_is_cut_off() throws Exception {
        try (Socket socket = connect("tls")) {
            OutputStream out = socket.getOutputStream();
            out.write(HexFormat.of().parseHex("1603010100")); // a handshake of 256 bytes, sent one byte at a time
            assertThat(trickle(() -> out.write(1))).isLessThan(STILL_ALIVE);
        }
        assertThat(server.slowHeaders.cutOff()).containsEntry("handshake", 1L);
    }

    @Test
    void a_silent_tls_connection_is_cut_off() throws Exception {
        try (Socket socket = connect("tls")) {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(server.slowHeaders.cutOff()).containsEntry("handshake", 1L);
    }

    @Test
    void headers_that_trickle_in_are_counted() throws Exception {
        try (Socket socket = connect("plain")) {
            OutputStream out = socket.getOutputStream();
            out.write("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ".getBytes(US_ASCII));
            assertThat(trickle(() -> out.write('a'))).isLessThan(STILL_ALIVE);
        }
        assertThat(server.slowHeaders.cutOff()).containsEntry("headers", 1L).containsEntry("handshake", 0L);
    }

    @Test
    void an_http_2_connection_with_only_pings_is_closed() throws Exception {
        try (Socket socket = http2()) {
            hello(socket, "");
            assertThat(trickle(() -> Wire.frame(socket, PING, 0, 0, "0102030405060708")))
                    .isLessThan(STILL_ALIVE);
        }
        assertThat(server.slowHeaders.cutOff()).containsEntry("request", 1L);
    }

    @Test
    void a_flood_of_window_updates_closes_the_connection() throws Exception {
        try (Socket socket = http2()) {
            hello(socket, "");
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 200_000; i++) {
                            Wire.frame(socket, WINDOW_UPDATE, 0, 0, "00000001");
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void window_updates_for_received_data_are_not_counted() throws Exception {
        try (Socket socket = http2()) {
            hello(socket, "");
            for (int stream = 1; stream < 250; stream += 2) {
                Wire.frame(socket, HEADERS, 5, stream, request("82"));
                assertThat(awaitFrame(socket, DATA)).hasSize(1_000);
                Wire.frame(socket, WINDOW_UPDATE, 0, 0, "000003e8");
                Wire.frame(socket, WINDOW_UPDATE, 0, 0, "00000001");
            }
        }
    }

    @Test
    void an_endless_http_2_header_block_closes_the_connection() throws Exception {
        try (Socket socket = http2()) {
            hello(socket, "");
            Wire.frame(socket, HEADERS, 0, 1, "82");
            assertThat(trickle(() -> Wire.frame(socket, 9, 0, 1, ""))).isLessThan(STILL_ALIVE);
        }
    }

    @Test
    void an_idle_http_2_connection_gets_a_goaway() throws Exception {
        try (Socket socket = http2()) {
            hello(socket, "");
            assertThat(awaitFrame(socket, GO_AWAY)).isNotNull();
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void a_stalled_http_2_body_is_refused_with_408_despite_pings() throws Exception {
        try (Socket socket = http2()) {
            hello(socket, "");
            Wire.frame(socket, HEADERS, 4, 1, request("83")); // POST with a body to follow
            Wire.frame(socket, DATA, 0, 1, "61");
            Integer status = null;
            for (int i = 0; status == null && i < STILL_ALIVE; i++) {
                Wire.frame(socket, PING, 0, 0, "0102030405060708");
                status = statuses.poll(100, TimeUnit.MILLISECONDS);
            }
            assertThat(status).isEqualTo(408);
        }
    }

    /** With unlimited system buffers there would be about fifty responses. */
    @Test
    void a_client_that_reads_nothing_gets_only_a_few_responses() throws Exception {
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(1_024);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port("plain")));
            socket.getOutputStream()
                    .write("GET /much HTTP/1.1\r\nHost: x\r\n\r\n".repeat(90).getBytes(US_ASCII));
            int responses = 0;
            for (Integer status = 200; status != null && status == 200; responses++) {
                status = statuses.poll(Patience.SECONDS, TimeUnit.SECONDS);
                assertThat(status).isIn(200, 499);
            }
            assertThat(responses).isBetween(2, 20);
        }
    }

    @Test
    void a_response_without_a_stream_window_is_aborted() throws Exception {
        try (Socket socket = http2()) {
            hello(socket, "000400000000"); // an initial stream window of 0
            Wire.frame(socket, HEADERS, 5, 1, request("82")); // GET without a body
            assertThat(statuses.poll(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo(499);
            assertThat(awaitFrame(socket, RESET)).isNotNull();
        }
    }

    private void note(Exchange exchange, Middleware.Next next) throws Exception {
        next.proceed(exchange);
        statuses.add(exchange.status());
    }

    private Socket connect(String listener) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port(listener));
        socket.setSoTimeout(Patience.MILLIS);
        return socket;
    }

    /** Repeats a handshake that a busy machine did not finish in time. */
    private Socket http2() {
        return Awaitility.await().ignoreExceptions().until(() -> tls.http2(server.port("tls")), Objects::nonNull);
    }

    private interface Send {
        void one() throws IOException;
    }

    /** Sends something every tenth of a second until the server closes the connection; returns how often it succeeded. */
    private static int trickle(Send send) throws Exception {
        int sent = 0;
        try {
            while (++sent < STILL_ALIVE) {
                Thread.sleep(100);
                send.one();
            }
        } catch (SocketException | SSLException closed) {
            // the server closed the connection
        }
        return sent;
    }

    /** The beginning of an HTTP/2 connection. */
    private static void hello(Socket socket, String settings) throws IOException {
        socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
        Wire.frame(socket, SETTINGS, 0, 0, settings);
    }

    /** A header block: the method, http, the path / and the authority x. */
    private static String request(String method) {
        return method + "86" + "84" + "410178";
    }

    /** Returns the payload of the next frame of a type. */
    private static byte[] awaitFrame(Socket socket, int type) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        while (true) {
            int lengthAndType = in.readInt();
            in.readNBytes(5);
            byte[] payload = in.readNBytes(lengthAndType >>> 8);
            if ((lengthAndType & 0xff) == type) {
                return payload;
            }
        }
    }
}
