// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.porchlight.support.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EventStreamsTest {
    private final EventStreams streams = new EventStreams(3);
    private volatile boolean allowed = true;
    private final BlockingQueue<Integer> statuses = new ArrayBlockingQueue<>(100);
    private final List<Socket> sockets = new ArrayList<>();
    private final HttpServer server = QuietServer.with(Limits.of(65_536), this::note);

    @BeforeEach
    void start() throws IOException {
        Router router = Router.builder(new AnyCaller())
                .get("/events", Access.PUBLIC, exchange -> streams.join(() -> allowed))
                .get("/", Access.PUBLIC, exchange -> Response.of(204))
                .build();
        server.listen("test", "127.0.0.1", 0, router, null).start();
    }

    @AfterEach
    void stop() throws IOException {
        streams.close();
        server.stop(Duration.ZERO);
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Test
    void events_arrive_one_by_one_in_order() throws Exception {
        BufferedReader events = listen();
        streams.send("sample", "{\"n\":1}");
        streams.send("sample", "{\"n\":2}");

        assertThat(data(events)).isEqualTo("{\"n\":1}");
        assertThat(data(events)).isEqualTo("{\"n\":2}");
        streams.send("sample", "{\"n\":3}");
        assertThat(data(events)).isEqualTo("{\"n\":3}");
    }

    @Test
    void a_request_is_recorded_when_its_stream_begins() throws Exception {
        listen();

        assertThat(statuses.poll(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo(200);
        assertThat(streams.listening).hasSize(1);
    }

    @Test
    void a_stream_beyond_the_limit_is_refused_until_another_ends() throws Exception {
        Socket first = connect();
        open(first);
        listen();
        listen();
        List<String> refusal = new BufferedReader(ask(connect()))
                .lines()
                .takeWhile(line -> !line.isEmpty())
                .toList();
        assertThat(refusal.get(0)).startsWith("HTTP/1.1 503");
        assertThat(refusal).contains("Retry-After: 1");

        first.close();
        await().until(() -> {
            streams.send("sample", "{}"); // detects that a client has disconnected
            return streams.listening.size() == 2;
        });
        listen();
        assertThat(streams.listening).hasSize(3);
    }

    @Test
    void a_client_that_does_not_read_is_disconnected_alone() throws Exception {
        Socket deaf = connect();
        deaf.setReceiveBufferSize(1_024);
        ask(deaf);
        await().until(() -> streams.listening.size() == 1);
        BufferedReader other = listen();
        String large = "\"" + "x".repeat(100_000) + "\"";
        await().until(() -> {
            streams.send("sample", large);
            assertThat(data(other)).isEqualTo(large);
            return streams.listening.size() == 1;
        });
        streams.send("sample", "{}");

        assertThat(data(other)).isEqualTo("{}");
    }

    @Test
    void a_stream_ends_with_the_next_event_when_its_listener_is_no_longer_allowed() throws Exception {
        BufferedReader events = listen();
        streams.send("sample", "{\"n\":1}");
        assertThat(data(events)).isEqualTo("{\"n\":1}");

        allowed = false;
        streams.send("sample", "{\"n\":2}");

        assertThat(events.lines()).noneMatch(line -> line.contains("{\"n\":2}"));
        assertThat(streams.listening).isEmpty();
    }

    @Test
    void closing_ends_every_stream_at_once() throws Exception {
        BufferedReader events = listen();
        streams.close();

        assertThat(server.stop(Duration.ofSeconds(30))).isTrue();
        assertThat(events.lines().toList()).contains("0"); // the last chunk: it ended in order
        assertThat(streams.listening).isEmpty();
    }

    @Test
    void new_streams_are_refused_after_closing() throws Exception {
        streams.close();

        assertThat(new BufferedReader(ask(connect())).readLine()).startsWith("HTTP/1.1 503");
    }

    @Test
    void a_head_request_gets_headers_and_no_stream() throws Exception {
        Socket socket = connect();
        socket.getOutputStream()
                .write("HEAD /events HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".getBytes(US_ASCII));

        List<String> lines = reader(socket).lines().toList();
        assertThat(lines.get(0)).isEqualTo("HTTP/1.1 200 OK");
        assertThat(lines).contains("Content-Type: text/event-stream");
        assertThat(streams.listening).isEmpty();
    }

    private void note(Exchange exchange, Middleware.Next next) throws Exception {
        next.proceed(exchange);
        statuses.add(exchange.status());
    }

    private BufferedReader listen() throws IOException {
        return open(connect());
    }

    /** Joins and waits until the stream has begun. */
    private BufferedReader open(Socket socket) throws IOException {
        BufferedReader lines = new BufferedReader(ask(socket));
        assertThat(lines.readLine()).isEqualTo("HTTP/1.1 200 OK");
        String line = lines.readLine();
        while (!line.equals(": welcome")) {
            line = lines.readLine();
        }
        return lines;
    }

    private InputStreamReader ask(Socket socket) throws IOException {
        socket.getOutputStream().write("GET /events HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
        return new InputStreamReader(socket.getInputStream(), US_ASCII);
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
    }

    private static String data(BufferedReader events) throws IOException {
        String line = events.readLine();
        while (!line.startsWith("data: ")) {
            line = events.readLine();
        }
        return line.substring("data: ".length());
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port("test"));
        sockets.add(socket);
        return socket;
    }
}
