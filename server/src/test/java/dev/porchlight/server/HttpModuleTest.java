// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.server.http.AnyCaller;
import dev.porchlight.server.http.HttpServer;
import dev.porchlight.server.http.Limits;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.limit.ClientAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpModuleTest {
    @Test
    void earlier_listeners_are_closed_when_a_later_one_cannot_be_opened() throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket taken = new ServerSocket(0, 1, loopback)) {
            int free = freePort(loopback);
            Router none = Router.builder(new AnyCaller()).build();
            HttpServer server = new HttpServer(
                            Limits.of(65_536),
                            new ClientAddresses(List.of()),
                            (access, authorization, cookies) -> false,
                            List.of())
                    .listen("first", "127.0.0.1", free, none, null)
                    .listen("second", "127.0.0.1", taken.getLocalPort(), none, null);

            assertThatThrownBy(server::start).isInstanceOf(HttpServer.ListenException.class);

            assertThatCode(() -> new ServerSocket(free, 1, loopback).close()).doesNotThrowAnyException();
        }
    }

    private static int freePort(InetAddress address) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return socket.getLocalPort();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "8080, 0, 8081",
        "8080, 8081, 8082",
        "8081, 8080, 8082",
        "80, 0, 8080",
        "80, 8080, 8081",
        "65534, 0, 65535",
        "65534, 65535, 8080",
        "65535, 0, 8080",
        "65535, 8080, 8081"
    })
    void a_suggested_port_is_valid_and_unused(int refused, int other, int suggested) {
        assertThat(HttpModule.anotherPort(refused, other)).isEqualTo(suggested);
    }
}
