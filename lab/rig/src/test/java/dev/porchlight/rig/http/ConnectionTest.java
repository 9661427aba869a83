// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.testkit.remote.TestResponse;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConnectionTest {
    @Test
    void responses_with_a_length_in_chunks_and_without_a_body_share_one_connection() throws Exception {
        try (Connection connection = respondingWith(
                "HTTP/1.1 200 OK\r\nContent-Length: 15\r\nRetry-After: 7\r\n\r\n{\"token\":\"abc\"}",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n7\r\n, world\r\n0\r\nT: 1\r\n\r\n",
                "HTTP/1.1 204 No Content\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")) {
            TestResponse first = connection.get("/");
            assertThat(first.field("token")).isEqualTo("abc");
            assertThat(first.header("retry-after")).isEqualTo("7");
            assertThat(connection.post("/", "{}").body()).isEqualTo("hello, world");
            assertThat(connection.get("/").status()).isEqualTo(204);
            assertThat(connection.get("/").status()).isEqualTo(404);
        }
    }

    @Test
    void a_truncated_response_is_an_error() throws Exception {
        try (Connection connection = respondingWith("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")) {
            assertThatThrownBy(() -> connection.get("/")).isInstanceOf(EOFException.class);
        }
    }

    /** A connection to a server that sends these responses, one per request, and closes. */
    private static Connection respondingWith(String... responses) throws IOException {
        ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread server = new Thread(() -> {
            try (listener;
                    Socket client = listener.accept()) {
                for (String response : responses) {
                    readHead(client);
                    client.getOutputStream().write(response.getBytes(US_ASCII));
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        server.setDaemon(true);
        server.start();
        return new Connection(URI.create("http://localhost:" + listener.getLocalPort()), Duration.ofSeconds(20));
    }

    private static void readHead(Socket client) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) client.getInputStream().read());
        }
        if (head.indexOf("Content-Length: 2") > 0) {
            client.getInputStream().readNBytes(2);
        }
    }
}
