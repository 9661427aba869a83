// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.server.limit.ClientAddresses;
import dev.porchlight.support.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One client address uses as many connections and as much body memory as it can; other clients are not affected. */
class SharesTest {
    private static final String ATTACKER = "127.0.0.66";
    private static final String OTHER = "127.0.0.67";
    private static final String PROXY = "127.0.0.68";
    private static final String UNFINISHED = "GET / HTTP/1.1\r\nHost: x\r\nX: ";
    /** 100 connections, 64 for each address, 64 for operators; no client is too slow while a test runs. */
    private static final Limits SMALL = new Limits(
            65_536,
            8_192,
            new Limits.Timeouts(Patience.LIMIT, Patience.LIMIT, Patience.LIMIT, 1_024),
            100,
            100,
            Limits.of(0).concurrency(),
            1_024 * 1_024);

    private final List<Socket> sockets = new ArrayList<>();
    private final Semaphore entered = new Semaphore(0);
    private final CountDownLatch leave = new CountDownLatch(1);
    private final HttpServer server = new HttpServer(
            SMALL,
            new ClientAddresses(List.of(PROXY)),
            (access, authorization, cookie) -> access.credential() == Access.Credential.USER && authorization == null,
            QuietServer.middlewares());

    @BeforeEach
    void start() throws IOException {
        Router router = Router.builder(new AnyCaller())
                .get("/", Access.PUBLIC, exchange -> Response.of(204))
                .get("/work", Access.PUBLIC, this::work)
                .post(
                        "/auth/echo",
                        Access.SIGNUP,
                        exchange -> Response.of(
                                200, "text/plain", exchange.jsonText().getBytes(UTF_8)))
                .post("/auth/own", Access.USER, exchange -> {
                    if (exchange.header("Authorization") == null) {
                        throw new ProblemException(Problem.of(401, "unauthenticated", "Sign in"));
                    }
                    return Response.of(200, "text/plain", exchange.jsonText().getBytes(UTF_8));
                })
                .build();
        server.listen("public", "127.0.0.1", 0, router, null)
                .listenForOperators("management", "127.0.0.1", 0, router, null)
                .start();
    }

    @AfterEach
    void stop() throws IOException {
        leave.countDown();
        for (Socket socket : sockets) {
            socket.close();
        }
        server.stop(Duration.ZERO);
    }

    @Test
    void an_address_keeps_its_share_of_connections_and_no_more() throws Exception {
        open(ATTACKER, 200, UNFINISHED);
        assertResponds(connect(OTHER, "public"));
        assertResponds(connect("127.0.0.1", "management"));
        assertThat(shares().count()).isBetween(64, 66);
        assertThat(shares().largestCount()).isEqualTo(64);
        assertThat(shares().evicted()).isEqualTo(136);
        assertThat(shares().refused()).isZero();
    }

    @Test
    void a_new_connection_of_an_address_with_a_full_share_is_served() throws Exception {
        open(ATTACKER, 200, UNFINISHED);
        assertResponds(connect(ATTACKER, "public"));
    }

    @Test
    void several_addresses_that_use_all_connections_block_no_other_client() throws Exception {
        for (int i = 0; i < 4; i++) {
            open("127.0.1." + (1 + i), 60, UNFINISHED);
        }
        assertResponds(connect(OTHER, "public"));
        assertThat(shares().count()).isLessThanOrEqualTo(100);
    }

    @Test
    void an_idle_connection_is_closed_before_one_that_is_in_use() throws Exception {
        Socket working = connect(ATTACKER, "public");
        send(working, "GET /work HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(entered.tryAcquire(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        open(ATTACKER, 100, "");
        leave.countDown();
        assertThat(Wire.readHead(working)).startsWith("HTTP/1.1 204");
    }

    @Test
    void a_new_connection_replaces_an_idle_one_of_the_next_address_if_the_largest_has_none() throws Exception {
        List<Socket> working = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Socket socket = connect(ATTACKER, "public");
            send(socket, "GET /work HTTP/1.1\r\nHost: x\r\n\r\n");
            working.add(socket);
        }
        assertThat(entered.tryAcquire(3, Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 97; i++) {
            open("127.0.2." + (1 + i / 2), 1, UNFINISHED);
        }
        assertResponds(connect(OTHER, "public"));
        leave.countDown();
        for (Socket socket : working) {
            assertThat(Wire.readHead(socket)).startsWith("HTTP/1.1 204");
        }
        assertThat(shares().evicted()).isEqualTo(1);
        assertThat(shares().refused()).isZero();
    }

    @Test
    void a_trusted_proxy_may_use_all_connections() throws Exception {
        open(PROXY, 90, "");
        Socket last = connect(PROXY, "public");
        assertResponds(last);
        for (Socket socket : sockets) {
            assertResponds(socket);
        }
    }

    @Test
    void body_memory_is_reclaimed_from_the_address_that_uses_most() throws Exception {
        String half = post("/auth/echo", 60_000) + "a".repeat(30_000);
        open(ATTACKER, 60, half);
        Socket honest = connect(OTHER, "public");
        send(honest, post("/auth/echo", 2));
        assertThat(Wire.readHead(sockets.get(0))).as("the oldest").startsWith("HTTP/1.1 503");
        send(honest, "ok");
        assertThat(Wire.readHead(honest)).startsWith("HTTP/1.1 200");
        assertThat(server.handler.bodies().used())
                .isLessThanOrEqualTo(SMALL.bodyBudgetPerAddress() + BodyBudget.REQUEST_BYTES);
        await().until(() -> server.handler.bodies().evicted() > 50); // all of them have been read
    }

    @Test
    void a_slow_body_of_the_same_address_survives_beside_large_ones() throws Exception {
        Socket honest = connect(ATTACKER, "public");
        send(honest, post("/auth/echo", 2));
        open(ATTACKER, 50, post("/auth/echo", 60_000) + "a".repeat(30_000));
        assertThat(Wire.readHead(sockets.get(1))).startsWith("HTTP/1.1 503");
        send(honest, "ok");
        assertThat(Wire.readHead(honest)).startsWith("HTTP/1.1 200");
    }

    @Test
    void behind_a_trusted_proxy_memory_is_shared_by_client() throws Exception {
        open(PROXY, 60, post("/auth/echo", 60_000, "X-Forwarded-For: 192.0.2.1") + "a".repeat(30_000));
        Socket honest = connect(PROXY, "public");
        send(honest, post("/auth/echo", 2, "X-Forwarded-For: 192.0.2.2"));
        assertThat(Wire.readHead(sockets.get(0))).startsWith("HTTP/1.1 503");
        send(honest, "ok");
        assertThat(Wire.readHead(honest)).startsWith("HTTP/1.1 200");
    }

    @Test
    void a_request_that_is_refused_anyway_gets_a_response_before_its_body_arrives() throws Exception {
        assertRespondsBeforeBody(post("/missing", 900), 404);
        assertRespondsBeforeBody(post("/", 900), 405);
        assertRespondsBeforeBody(
                "POST /auth/echo HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 900\r\n\r\n", 415);
        assertRespondsBeforeBody(post("/auth/own", 900), 401);
        assertThat(server.handler.bodies().used()).isZero();
    }

    @Test
    void small_heaps_have_small_limits() {
        Limits small = Limits.of(65_536).within(128L << 20, false);
        assertThat(small.connections()).isEqualTo(1_365);
        assertThat(small.connectionShare()).isEqualTo(170);
        assertThat(small.bodyBudget()).isEqualTo(16L << 20);
        assertThat(Limits.of(65_536).within(128L << 20, true).connections()).isEqualTo(512);
        Limits large = Limits.of(65_536).within(8L << 30, true);
        assertThat(large.connections()).isEqualTo(8_192);
        assertThat(large.connectionShare()).isEqualTo(1_024);
        assertThat(large.bodyBudget()).isEqualTo(32L << 20);
    }

    private Response work(Exchange exchange) throws InterruptedException {
        entered.release();
        assertThat(leave.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        return Response.of(204);
    }

    private void assertRespondsBeforeBody(String request, int status) throws IOException {
        Socket socket = connect(OTHER, "public");
        send(socket, request);
        assertThat(Wire.readHead(socket)).startsWith("HTTP/1.1 " + status);
    }

    private static void assertResponds(Socket socket) throws IOException {
        send(socket, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(Wire.readHead(socket)).startsWith("HTTP/1.1 204");
    }

    private static String post(String path, int length, String... headers) {
        return "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: " + length
                + "\r\n" + String.join("\r\n", headers) + (headers.length == 0 ? "\r\n" : "\r\n\r\n");
    }

    /** Opens connections that send an incomplete request and wait. */
    private void open(String from, int count, String beginning) throws IOException {
        for (int i = 0; i < count; i++) {
            Socket socket = connect(from, "public");
            try {
                send(socket, beginning);
            } catch (IOException closed) {
                // the server closed it to make room
            }
        }
    }

    private Socket connect(String from, String listener) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port(listener)));
        socket.setSoTimeout(Patience.MILLIS);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
    }

    private ConnectionShares shares() {
        return Objects.requireNonNull(server.shares.get("public"));
    }
}
