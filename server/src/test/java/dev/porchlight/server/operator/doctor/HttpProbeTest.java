// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Servers that are not the service. */
class HttpProbeTest {
    @Test
    void a_response_without_an_end_does_not_keep_the_doctor() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
        var stopped = new CountDownLatch(1);
        server.createContext("/fast", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                while (stopped.getCount() > 0) {
                    body.write(new byte[1 << 16]);
                }
            }
        });
        server.createContext("/slow", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            assertDoesNotThrow(() -> stopped.await());
            exchange.close();
        });
        ExecutorService threads = Executors.newCachedThreadPool();
        server.setExecutor(threads);
        server.start();
        URI url = URI.create("http://localhost:" + server.getAddress().getPort());
        try {
            assertThatThrownBy(() -> new HttpProbe(Doctor.TIMEOUT).get(url.resolve("/fast")))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the response is longer than 1 MiB");
            assertThatThrownBy(() -> new HttpProbe(Duration.ofMillis(300)).get(url.resolve("/slow")))
                    .isInstanceOf(IOException.class);
        } finally {
            stopped.countDown();
            server.stop(0);
            threads.shutdownNow();
        }
    }
}
