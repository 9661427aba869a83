// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.support.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class LimitsTest {
    private static final int STILL_ALIVE = 10 * Patience.SECONDS;
    private static final int HUGE = 64 * 1_024 * 1_024;
    private static final Limits.Timeouts SHORT =
            new Limits.Timeouts(Duration.ofMillis(1_500), Duration.ofSeconds(4), Duration.ofMillis(500), 100_000_000);
    private static final Limits.Timeouts LONG =
            new Limits.Timeouts(Patience.LIMIT, Patience.LIMIT, Patience.LIMIT, 1_024);

    private final BlockingQueue<Integer> statuses = new LinkedBlockingQueue<>();
    private final HttpServer server = QuietServer.with(limits(SHORT), this::note);
    private final HttpServer patient = QuietServer.with(limits(LONG), this::note);

    @BeforeEach
    void start() throws IOException {
        Router router = Router.builder(new AnyCaller())
                .get("/", Access.PUBLIC, exchange -> Response.of(200))
                .get("/huge", Access.PUBLIC, exchange -> Response.of(200, "application/octet-stream", new byte[HUGE]))
                .post("/body", Access.PUBLIC, exchange -> Response.of(200, "application/octet-stream", exchange.body()))
                .build();
        for (HttpServer one : List.of(server, patient)) {
            one.listen("test", "127.0.0.1", 0, router, null).start();
        }
    }

    private static Limits limits(Limits.Timeouts timeouts) {
        return new Limits(1_000, 2_048, timeouts, 100, 100, Limits.of(0).concurrency(), Limits.BODY_BUDGET);
    }

    @AfterEach
    void stop() {
        server.stop(Duration.ZERO);
        patient.stop(Duration.ZERO);
    }

    @Test
    void headers_that_trickle_in_forever_are_cut_off() throws Exception {
        try (Socket socket = connect()) {
            assertThat(trickle(socket, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")).isLessThan(STILL_ALIVE);
        }
    }

    @Test
    void trickling_headers_of_a_later_request_are_cut_off() throws Exception {
        try (Socket socket = connect()) {
            send(socket, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(read(socket, 12)).isEqualTo("HTTP/1.1 200");
            assertThat(trickle(socket, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")).isLessThan(STILL_ALIVE);
        }
    }

    @Test
    void slow_successive_requests_are_accepted() {
        unlessTheMachineStalls(() -> {
            try (Socket socket = connect()) {
                for (int i = 0; i < 4; i++) {
                    send(socket, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
                    assertThat(Wire.readHead(socket)).startsWith("HTTP/1.1 200");
                    Thread.sleep(600); // three of them take longer than the header timeout
                }
            }
        });
    }

    @Test
    void slow_headers_within_the_deadline_are_accepted() {
        for (int i = 0; i < 15; i++) {
            unlessTheMachineStalls(() -> {
                try (Socket socket = connect()) {
                    send(socket, "GET / HTTP/1.1\r\nHost: ");
                    Thread.sleep(100); // a part of the header timeout
                    send(socket, "x\r\n\r\n");
                    assertThat(Wire.readHead(socket)).startsWith("HTTP/1.1 200");
                }
            });
        }
    }

    /** Repeats an exchange that fits into the short timeouts, in case the machine did not. */
    private static void unlessTheMachineStalls(ThrowingRunnable exchange) {
        Awaitility.await().ignoreExceptions().untilAsserted(exchange);
    }

    @Test
    void a_body_below_the_minimum_rate_is_refused_with_408() throws Exception {
        Thread trickling;
        try (Socket socket = connect()) {
            send(socket, "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n");
            trickling = new Thread(() -> trickleQuietly(socket));
            trickling.start();
            assertThat(read(socket, 4_096)).startsWith("HTTP/1.1 408").contains("\"code\":\"request_timeout\"");
        }
        trickling.join();
    }

    @Test
    void a_client_still_sending_a_refused_body_gets_the_response() {
        byte[] piece = new byte[1_000];
        for (int i = 0; i < 5; i++) {
            unlessTheMachineStalls(() -> {
                try (Socket socket = connect()) {
                    send(socket, "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n");
                    for (int sent = 0; sent < 100_000; sent += piece.length) {
                        socket.getOutputStream().write(piece);
                        if (sent % 25_000 == 0) {
                            Thread.sleep(50); // the service refuses the body while it is sent
                        }
                    }
                    assertThat(Wire.readHead(socket)).startsWith("HTTP/1.1 413");
                }
            });
        }
    }

    @Test
    void a_refused_body_is_not_read_forever() throws Exception {
        try (Socket socket = connect()) {
            send(socket, "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n");
            assertThat(Wire.readHead(socket)).startsWith("HTTP/1.1 413");
            assertThat(trickle(socket, "")).isLessThan(STILL_ALIVE);
        }
    }

    @Test
    void a_client_that_does_not_read_its_response_is_disconnected() throws Exception {
        try (Socket socket = connect()) {
            send(socket, "GET /huge HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(statuses.poll(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo(499);
            long received = 0;
            try (InputStream in = socket.getInputStream()) {
                byte[] buffer = new byte[65_536];
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    received += n;
                }
            } catch (SocketException reset) {
                // a reset also ends the connection
            }
            assertThat(received).isLessThan(HUGE);
        }
    }

    @Test
    void an_idle_connection_is_closed() throws Exception {
        try (Socket socket = connect()) {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void headers_beyond_the_limit_are_refused_with_431_and_counted() throws Exception {
        try (Socket socket = connect(patient)) {
            send(socket, "GET / HTTP/1.1\r\nHost: x\r\nX: " + "a".repeat(3_000) + "\r\n\r\n");
            assertThat(read(socket, 4_096)).startsWith("HTTP/1.1 431").contains("\"code\":\"headers_too_large\"");
        }
        assertThat(statuses.poll(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo(431);
    }

    @Test
    void invalid_requests_are_refused_with_400_and_counted() throws Exception {
        for (String garbage : List.of(
                "GARBAGE\r\n\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
                "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /a/%2e%2e/%2f HTTP/1.1\r\nHost: x\r\n\r\n",
                "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")) {
            try (Socket socket = connect(patient)) {
                send(socket, garbage);
                assertThat(read(socket, 4_096))
                        .as(garbage)
                        .startsWith("HTTP/1.1 400")
                        .contains("application/problem+json")
                        .contains("\"code\":\"malformed_request\"")
                        .contains("Connection: close");
            }
            assertThat(statuses.poll(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo(400);
        }
    }

    @Test
    void a_body_with_broken_chunks_is_refused_with_400() throws Exception {
        try (Socket socket = connect(patient)) {
            send(socket, "POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
            Thread.sleep(100); // the service has read the headers, or not: both are refused
            send(socket, "zz\r\n");
            assertThat(read(socket, 4_096)).startsWith("HTTP/1.1 400");
        }
    }

    @Test
    void a_truncated_body_is_refused_with_400() throws Exception {
        try (Socket socket = connect(patient)) {
            send(socket, "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\nabc");
            socket.shutdownOutput();
            assertThat(read(socket, 4_096)).startsWith("HTTP/1.1 400");
        }
        assertThat(statuses.poll(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo(400);
        assertThat(statuses).isEmpty();
    }

    @Test
    void a_client_that_disconnects_within_its_body_is_recorded_once() throws Exception {
        try (Socket socket = connect(patient)) {
            send(socket, "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\nabc");
            Thread.sleep(200); // the service has begun to read the body, or not: both are recorded once
            socket.setSoLinger(true, 0);
        }
        assertThat(statuses.poll(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo(499);
        assertThat(statuses.poll(200, TimeUnit.MILLISECONDS)).isNull();
    }

    private void note(Exchange exchange, Middleware.Next next) throws Exception {
        next.proceed(exchange);
        statuses.add(exchange.status());
    }

    private Socket connect() throws IOException {
        return connect(server);
    }

    private static Socket connect(HttpServer to) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(16 * 1_024);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), to.port("test")));
        socket.setSoTimeout(Patience.MILLIS);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
    }

    /** Sends a byte every tenth of a second until the server closes the connection; returns the number of bytes sent. */
    private static int trickle(Socket socket, String beginning) throws Exception {
        send(socket, beginning);
        int sent = 0;
        try {
            while (++sent < STILL_ALIVE) {
                Thread.sleep(100);
                send(socket, "a");
            }
        } catch (SocketException closed) {
            // the server closed the connection
        }
        return sent;
    }

    private static void trickleQuietly(Socket socket) {
        try {
            trickle(socket, "");
        } catch (Exception closed) {
            // the test is over
        }
    }

    private static String read(Socket socket, int most) throws IOException {
        byte[] bytes = socket.getInputStream().readNBytes(most);
        return new String(bytes, ISO_8859_1);
    }
}
