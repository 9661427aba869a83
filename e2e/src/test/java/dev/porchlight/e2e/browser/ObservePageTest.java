// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.ObservabilitySettings;
import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.observe.http.TelemetryFilter;
import dev.porchlight.observe.http.TelemetryHandlers;
import dev.porchlight.observe.log.LogWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.By;

/** The page of the observe module in an application that is not the service. Its policy allows nothing of other hosts. */
class ObservePageTest {
    @RegisterExtension
    final Browser browser = new Browser();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Observability observe = Observability.open(
            ObservabilitySettings.fromEnvironment("shop", Map.of()), LogWriter.to(new ByteArrayOutputStream()));
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        observe.health().register("stock", CheckResult::up);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/orders", exchange -> {
                    exchange.sendResponseHeaders(500, -1);
                    exchange.close();
                })
                .getFilters()
                .add(new TelemetryFilter(observe.http()));
        new TelemetryHandlers(observe.endpoints().with(observe.page())).mount(server);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
        observe.close();
    }

    @Test
    void requests_errors_latency_heap_and_health_are_plotted() throws IOException {
        String address = "http://localhost:" + server.getAddress().getPort();
        URI.create(address + "/orders").toURL().openConnection().getHeaderField(0);
        browser.openAt(address + "/observe/");
        browser.awaitText("1 server error");
        browser.eventually(
                () -> assertThat(browser.readAll("#route option", "one.value")).containsExactly("GET /orders"));
        assertThat(browser.textOf(By.cssSelector("[data-plot=latency] .summary")))
                .startsWith("Median ");
        assertThat(browser.readAll("#health li", "one.textContent")).hasSize(1).allMatch(it -> it.contains("stock"));
        assertThat(browser.readAll("[data-plot] svg.plot polyline", "one.closest('figure').dataset.plot"))
                .contains("requests", "heap");
        browser.assertAccessible("observe page");
    }
}
