// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.http.CorrelationId;
import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.LogWriter;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;

/** A Spring Boot application on Tomcat with the starter. */
class ObserveApplicationTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final HttpClient client = HttpClient.newHttpClient();
    private ServletWebServerApplicationContext context;

    /** The application's lines, in place of standard output. */
    @Configuration(proxyBeanMethods = false)
    static class Captured {
        private final ByteArrayOutputStream lines;

        Captured(ByteArrayOutputStream lines) {
            this.lines = lines;
        }

        @Bean
        Observability observability(ConfigurableEnvironment environment) {
            return ObserveLoggingSystem.install(
                    Observability.open(SpringSettings.read(environment), LogWriter.to(lines)));
        }
    }

    @BeforeAll
    static void leaveStandardOutputToTheTests() {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
    }

    @AfterAll
    static void restore() {
        System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
    }

    private void start(String... properties) {
        SpringApplication application = new SpringApplication(Shop.class);
        application.addInitializers(created -> {
            GenericApplicationContext beans = (GenericApplicationContext) created;
            beans.registerBean("lines", ByteArrayOutputStream.class, () -> lines);
            beans.registerBean(Captured.class);
        });
        List<String> all = new ArrayList<>(List.of("--server.port=0", "--spring.application.name=shop"));
        all.addAll(List.of(properties));
        context = (ServletWebServerApplicationContext) application.run(all.toArray(String[]::new));
    }

    @AfterEach
    void stop() {
        if (context != null) {
            context.close();
        }
    }

    @Test
    void a_request_has_an_id_the_callers_trace_the_pattern_as_route_and_a_line() throws Exception {
        start("--logging.level.com.shop=debug");
        HttpResponse<String> response =
                get("/orders/7", CorrelationId.HEADER, "abc-1", "traceparent", "00-" + TRACE + "-b7ad6b7169203331-01");
        assertThat(response.body()).isEqualTo("order 7");
        assertThat(response.headers().firstValue(CorrelationId.HEADER)).hasValue("abc-1");
        await().untilAsserted(() -> assertThat(text()).contains("GET /orders/{id} 200"));
        assertThat(text().lines().filter(line -> line.contains(TRACE)))
                .allMatch(line -> line.contains("\"correlationId\":\"abc-1\""))
                .anyMatch(line -> line.contains("\"message\":\"reading\"")
                        && line.contains("\"order\":\"7\"")
                        && line.contains("\"logger\":\"com.shop.Orders\""))
                .anyMatch(line -> line.contains("\"message\":\"from a library\""))
                .anyMatch(line -> line.contains("\"service\":\"shop\""));
        assertThat(get("/metrics").body())
                .contains("http_requests_total{method=\"GET\",route=\"/orders/{id}\",status=\"200\"} 1\n");
        assertThat(get("/profile").body()).contains("GET /orders/{id}");
    }

    @Test
    void an_exception_is_a_500_with_its_cause() throws Exception {
        start();
        assertThat(get("/broken").statusCode()).isEqualTo(500);
        await().untilAsserted(() -> assertThat(text()).contains("GET /broken 500", "no stock"));
        assertThat(text().lines().filter(line -> line.contains("no stock")))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("\"correlationId\"");
    }

    @Test
    void health_checks_are_beans_whose_details_the_applications_port_does_not_show() throws Exception {
        start();
        HttpResponse<String> ready = get("/health/ready");
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(ready.body()).contains("\"stock\"").doesNotContain("warehouse");
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
    }

    @Test
    void the_endpoints_move_to_a_separate_port() throws Exception {
        start("--porchlight.observe.port=0", "--porchlight.observe.path=/internal");
        assertThat(get("/metrics").statusCode()).isEqualTo(404);
        assertThat(get("/internal/metrics").statusCode()).isEqualTo(404);
        InetSocketAddress address = context.getBean(TelemetryPort.class).address();
        assertThat(address.getAddress().isLoopbackAddress())
                .as("by default only this machine reaches it")
                .isTrue();
        int port = address.getPort();
        assertThat(get(port, "/internal/health/ready").body()).contains("warehouse 7 is closed");
        assertThat(get(port, "/internal/metrics").body()).contains("\nprocess_heap_bytes ");
    }

    @Test
    void the_separate_port_has_the_configured_address() {
        start("--porchlight.observe.port=0", "--porchlight.observe.address=0.0.0.0");
        assertThat(context.getBean(TelemetryPort.class).address().getAddress().isAnyLocalAddress())
                .isTrue();
    }

    @Test
    void a_port_in_use_is_named_with_its_property() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> start("--porchlight.observe.port=" + other.getLocalPort()))
                    .hasStackTraceContaining("cannot listen on 127.0.0.1:" + other.getLocalPort())
                    .hasStackTraceContaining("porchlight.observe.port");
        }
    }

    @Test
    void requests_that_never_end_do_not_keep_the_separate_port_from_responding() throws Exception {
        start("--porchlight.observe.port=0");
        InetSocketAddress address = context.getBean(TelemetryPort.class).address();
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                Socket socket = new Socket(address.getAddress(), address.getPort());
                socket.getOutputStream().write("GET /metrics HTTP/1.1\r\nHost:".getBytes(UTF_8));
                open.add(socket);
            }
            assertThat(get(address.getPort(), "/health/live").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    /** In a separate process, because the lines go to standard output. */
    @Test
    void spring_boot_logs_through_the_module_from_the_start() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Shop.class.getName(),
                        "--server.port=0",
                        "--spring.application.name=shop",
                        "--spring.main.banner-mode=off")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> output = new ArrayList<>();
        try (BufferedReader reader = process.inputReader()) {
            while (output.stream().noneMatch(line -> line.contains("Started Shop in"))) {
                output.add(Objects.requireNonNull(reader.readLine(), output::toString));
            }
        } finally {
            process.destroy();
        }
        assertThat(output)
                .allMatch(line -> line.startsWith("{") && line.contains("\"service\":\"shop\""))
                .anyMatch(line -> line.contains("\"message\":\"Starting Shop using Java"))
                .anyMatch(line -> line.contains("Starting service [Tomcat]"));
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void levels_and_variables_come_from_springs_environment() {
        start(
                "--logging.level.root=warn",
                "--logging.level.com.shop=OFF",
                "--LOG_LEVEL=org.quiet=error",
                "--OTEL_TRACES_SAMPLER=always_off");
        var settings = context.getBean(Observability.class).settings();
        assertThat(settings.logLevels().general()).isEqualTo(Level.WARN);
        assertThat(settings.logLevels().byName())
                .containsAllEntriesOf(Map.of(
                        "com.shop", Level.FATAL,
                        "org.quiet", Level.ERROR));
        assertThat(settings.warnings()).isEmpty();
        assertThat(settings.service()).isEqualTo("shop");
    }

    private String text() {
        return lines.toString(UTF_8);
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        return get(context.getWebServer().getPort(), path, headers);
    }

    private HttpResponse<String> get(int port, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .timeout(Duration.ofMinutes(2));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }
}
