// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.support.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** More slow clients than threads, each of which sends or reads nothing: other clients are not affected. */
class CrowdedTest {
    private static final int SLOW = 60;
    private static final int HUGE = 16 * 1_024 * 1_024;
    private static final int MAX_TRIES = 100;
    /** Fewer threads than slow clients, and timeouts longer than the test. */
    private static final Limits PATIENT = new Limits(
            65_536,
            8_192,
            new Limits.Timeouts(Patience.LIMIT, Patience.LIMIT, Patience.LIMIT, 1_024),
            500,
            100,
            32,
            Limits.BODY_BUDGET);

    private static final String JSON = HexFormat.of().formatHex("application/json".getBytes(US_ASCII));

    private final TestTls tls = new TestTls();
    private final List<Socket> slow = new ArrayList<>();
    private final HttpServer server = QuietServer.with(PATIENT);

    @BeforeEach
    void start() throws Exception {
        Response huge = Response.of(200, "application/octet-stream", new byte[HUGE]);
        Router router = Router.builder(new AnyCaller())
                .post("/auth/echo", Access.USER, exchange -> Response.of(200, "text/plain", exchange.body()))
                .get("/auth/huge", Access.USER, exchange -> huge)
                .get("/huge", Access.PUBLIC, exchange -> huge)
                .get("/health/huge", Access.PROBE, exchange -> huge)
                .get("/health/live", Access.PROBE, exchange -> Response.of(204))
                .get("/", Access.PUBLIC, exchange -> Response.of(204))
                .build();
        server.listen("test", "127.0.0.1", 0, router, null)
                .listen("tls", "127.0.0.1", 0, router, tls.store())
                .start();
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : slow) {
            socket.close();
        }
        server.stop(Duration.ZERO);
    }

    @Test
    void missing_bodies_occupy_no_slot() throws Exception {
        for (int i = 0; i < SLOW; i++) {
            send(
                    connect(),
                    "POST /auth/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\nabc");
        }
        assertOtherClientsGetResponses();
        assertThat(server.handler.load()).containsEntry("working", 0).containsEntry("waiting", 0);
    }

    @Test
    void missing_http_2_bodies_occupy_no_slot() throws Exception {
        Socket socket = tls.http2(server.port("tls"));
        slow.add(socket);
        send(socket, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        frame(socket, 4, 0, "");
        String path = HexFormat.of().formatHex("/auth/echo".getBytes(US_ASCII));
        for (int stream = 1; stream < 2 * SLOW; stream += 2) {
            frame(socket, 1, stream, "8386" + "040a" + path + "410178" + "0f1010" + JSON); // POST with a body to follow
            frame(socket, 0, stream, "61");
        }
        assertOtherClientsGetResponses();
    }

    @Test
    void bodies_in_pieces_are_handled_when_complete() throws Exception {
        Socket socket = connect();
        for (String expect : List.of("", "Expect: 100-continue\r\n")) {
            send(
                    socket,
                    "POST /auth/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + expect
                            + "Content-Length: 6\r\n\r\n");
            if (!expect.isEmpty()) {
                assertThat(Wire.readHead(socket)).startsWith("HTTP/1.1 100");
            }
            long used = 0;
            for (String piece : List.of("ab", "cd", "ef")) {
                long before = used;
                used = await().until(server.handler.bodies()::used, now -> now > before); // waits for this piece
                send(socket, piece);
            }
            assertThat(Wire.readHead(socket)).startsWith("HTTP/1.1 200");
            assertThat(new String(socket.getInputStream().readNBytes(6), US_ASCII))
                    .isEqualTo("abcdef");
        }
    }

    @Test
    void clients_that_read_no_response_occupy_only_a_few_threads() throws Exception {
        for (int i = 0; i < SLOW; i++) {
            String path = List.of("/huge", "/auth/huge", "/health/huge").get(i % 3);
            ask(path);
        }
        assertOtherClientsGetResponses();
    }

    @Test
    void a_detached_response_is_complete_when_it_is_read_late() throws Exception {
        List<Socket> asked = new ArrayList<>();
        for (int i = 0; i < SLOW; i++) {
            asked.add(ask("/health/huge"));
        }
        for (Socket socket : asked.subList(SLOW - 3, SLOW)) {
            assertThat(socket.getInputStream().readNBytes(HUGE)).hasSize(HUGE);
            send(socket, "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(Wire.readHead(socket)).startsWith("HTTP/1.1 204");
        }
    }

    private Socket ask(String path) throws IOException {
        return ask("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n", 200);
    }

    /** Reads no more than the headers of a response. On a busy machine the service may refuse a request, which is then repeated. */
    private Socket ask(String request, int status) throws IOException {
        for (int tries = 1; ; tries++) {
            Socket socket = connect();
            send(socket, request);
            String head = Wire.readHead(socket);
            if (!head.startsWith("HTTP/1.1 503") || tries == MAX_TRIES) {
                assertThat(head).startsWith("HTTP/1.1 " + status);
                return socket;
            }
        }
    }

    private void assertOtherClientsGetResponses() throws IOException {
        for (int i = 0; i < 5; i++) {
            Socket echo = ask(
                    "POST /auth/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\nok",
                    200);
            assertThat(new String(echo.getInputStream().readNBytes(2), US_ASCII))
                    .isEqualTo("ok");
            for (String path : List.of("/health/live", "/")) {
                ask("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n", 204);
            }
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        slow.add(socket);
        socket.setReceiveBufferSize(16 * 1_024);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port("test")));
        socket.setSoTimeout(Patience.MILLIS);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
    }

    /** A frame; headers are whole. */
    private static void frame(Socket socket, int type, int stream, String hex) throws IOException {
        Wire.frame(socket, type, type == 1 ? 4 : 0, stream, hex);
    }
}
