// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.fault;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.support.Patience;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultProxyTest {
    private ServerSocket echo;
    private FaultProxy proxy;

    @BeforeEach
    void start() throws IOException {
        echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        FaultProxy.thread("echo", () -> {
            try {
                while (true) {
                    Socket client = echo.accept();
                    FaultProxy.thread("echo-client", () -> echo(client));
                }
            } catch (IOException closed) {
                // the test is over
            }
        });
        proxy = new FaultProxy(echo.getLocalPort());
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        echo.close();
    }

    @Test
    void data_and_end_of_stream_pass_in_both_directions() throws IOException {
        try (Socket client = connect()) {
            client.getOutputStream().write("hello".getBytes(US_ASCII));
            client.shutdownOutput();

            assertThat(client.getInputStream().readAllBytes())
                    .asString(US_ASCII)
                    .isEqualTo("hello");
        }
    }

    @Test
    void responses_are_delayed_by_the_latency() throws IOException {
        proxy.set(Toxics.NONE.latency(300, 100));
        try (Socket client = connect()) {
            long begin = System.nanoTime();
            assertThat(exchange(client, "x")).isEqualTo("x");

            assertThat((System.nanoTime() - begin) / 1_000_000).isGreaterThanOrEqualTo(200);
        }
    }

    @Test
    void bandwidth_is_limited() throws IOException {
        proxy.set(Toxics.NONE.bandwidth(10_000));
        try (Socket client = connect()) {
            long begin = System.nanoTime();
            assertThat(exchange(client, "x".repeat(4_000))).hasSize(4_000);

            assertThat((System.nanoTime() - begin) / 1_000_000).isGreaterThanOrEqualTo(400);
        }
    }

    @Test
    void a_black_hole_delivers_the_data_after_it_ends() throws IOException {
        try (Socket client = connect()) {
            assertThat(exchange(client, "before")).isEqualTo("before");
            proxy.set(Toxics.NONE.blackHole(true));
            client.setSoTimeout(300);
            client.getOutputStream().write("delayed!!".getBytes(US_ASCII));
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
            try (Socket another = connect()) {
                another.setSoTimeout(300);
                another.getOutputStream().write('x');
                assertThatThrownBy(() -> another.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
            }
            proxy.set(Toxics.NONE);
            client.setSoTimeout(Patience.MILLIS);

            assertThat(client.getInputStream().readNBytes(9)).asString(US_ASCII).isEqualTo("delayed!!");
        }
    }

    @Test
    void one_in_n_connections_is_reset() throws IOException {
        proxy.set(Toxics.NONE.resetEvery(2));
        try (Socket first = connect();
                Socket second = connect()) {
            assertThat(exchange(first, "x")).isEqualTo("x");
            assertThatThrownBy(() -> exchange(second, "x")).isInstanceOf(SocketException.class);
        }
        assertThat(proxy.accepted()).isEqualTo(2);
    }

    @Test
    void a_closed_proxy_resets_and_refuses_connections() throws IOException {
        try (Socket open = connect()) {
            exchange(open, "x");
            proxy.close();

            assertThatThrownBy(() -> exchange(open, "x")).isInstanceOf(SocketException.class);
            assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        socket.setSoTimeout(Patience.MILLIS);
        return socket;
    }

    private static String exchange(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
        byte[] received = socket.getInputStream().readNBytes(text.length());
        if (received.length < text.length()) {
            throw new SocketException("closed");
        }
        return new String(received, US_ASCII);
    }

    private static void echo(Socket client) {
        try (client) {
            client.getInputStream().transferTo(client.getOutputStream());
        } catch (IOException gone) {
            // expected
        }
    }
}
