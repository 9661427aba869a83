// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.ObservabilitySettings;
import dev.porchlight.observe.http.CorrelationId;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.log.Logger;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The filter and the servlet, in each server. */
@ParameterizedClass
@EnumSource
class TelemetryServletFilterTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final Observability observe =
            Observability.open(ObservabilitySettings.fromEnvironment("shop", Map.of()), LogWriter.to(lines));
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicReference<AsyncContext> parked = new AtomicReference<>();

    @Parameter
    private ServletContainer container = ServletContainer.TOMCAT;

    private ServletContainer.@Nullable Running server;

    private interface Handler {
        void handle(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException;
    }

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        server = container.start(folder, this::register);
    }

    private void register(ServletContext context) {
        FilterRegistration.Dynamic filter = context.addFilter("telemetry", new TelemetryServletFilter(observe.http()));
        filter.setAsyncSupported(true);
        filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
        servlet(context, "/orders/*", (request, response) -> {
            ((Logger) request.getAttribute(TelemetryServletFilter.LOGGER)).info("listing orders");
            response.getWriter().print("hé" + request.getAttribute(TelemetryServletFilter.CORRELATION_ID));
        });
        servlet(context, "/users/*", (request, response) -> {
            TelemetryServletFilter.request(request).template("/users/{id}");
            response.sendError(404);
        });
        servlet(context, "/spring", (request, response) -> {
            request.setAttribute("org.springframework.web.servlet.HandlerMapping.bestMatchingPattern", "/pets/{id}");
            response.getOutputStream().write(new byte[7]);
        });
        servlet(context, "/broken", (request, response) -> {
            throw new ServletException(new IllegalStateException("no stock"));
        });
        servlet(context, "/half", (request, response) -> {
            response.flushBuffer();
            throw new IllegalStateException("after the commit");
        });
        servlet(context, "/gone", (request, response) -> {
            response.flushBuffer();
            throw new IOException("Broken pipe");
        });
        servlet(context, "/later", (request, response) -> parked.set(request.startAsync()));
        servlet(context, "/", (request, response) -> response.sendError(404));
        context.addServlet("endpoints", new TelemetryServlet(observe.endpoints()))
                .addMapping("/metrics", "/health/live", "/health/ready", "/internal/profile", "/other");
        TelemetryServlet all = new TelemetryServlet(observe.endpoints().with(observe.page()));
        context.addServlet("all", all).addMapping(all.mappings("/all"));
    }

    private static void servlet(ServletContext context, String pattern, Handler handler) {
        ServletRegistration.Dynamic servlet = context.addServlet(pattern, new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response)
                    throws IOException, ServletException {
                handler.handle(request, response);
            }
        });
        servlet.setAsyncSupported(true);
        servlet.addMapping(pattern);
    }

    @AfterEach
    void stop() throws Exception {
        Objects.requireNonNull(server).stop().close();
        observe.close();
    }

    @Test
    void a_request_has_a_correlation_id_the_callers_trace_a_count_a_profile_and_a_line() throws Exception {
        HttpResponse<String> response = get(
                "/orders/7;s=1?secret=x",
                CorrelationId.HEADER,
                "abc-1",
                "traceparent",
                "00-" + TRACE + "-b7ad6b7169203331-01");
        assertThat(response.headers().firstValue(CorrelationId.HEADER)).hasValue("abc-1");
        assertThat(response.body()).endsWith("abc-1");
        await().untilAsserted(() -> assertThat(text()).contains("GET /orders/* 200"));
        assertThat(text().lines())
                .allMatch(line -> line.contains("\"correlationId\":\"abc-1\""))
                .allMatch(line -> line.contains("\"trace_id\":\"" + TRACE + "\""))
                .noneMatch(line -> line.contains("secret"))
                .anyMatch(line -> line.contains("\"message\":\"listing orders\""))
                .anyMatch(line -> line.contains("\"bytes\":8"));
        assertThat(get("/metrics").body())
                .contains("http_requests_total{method=\"GET\",route=\"/orders/*\",status=\"200\"} 1\n");
        assertThat(observe.profiler().statistics("GET /orders/*").count()).isEqualTo(1);
    }

    @Test
    void the_route_is_the_handlers_or_springs_template_and_never_a_path() throws Exception {
        get("/users/1");
        get("/spring");
        get("/no/such/page");
        await().untilAsserted(() -> assertThat(text())
                .contains("GET /users/{id} 404", "GET /pets/{id} 200", "\"bytes\":7", "GET unmatched 404")
                .doesNotContain("/no/such/page"));
    }

    @Test
    void an_exception_is_a_500_with_its_cause() throws Exception {
        assertThat(get("/broken").statusCode()).isEqualTo(500);
        await().untilAsserted(() -> assertThat(text()).contains("GET /broken 500"));
        assertThat(text()).contains("\"message\":\"request failed\"", "IllegalStateException", "no stock");
    }

    @Test
    void an_exception_after_the_commit_is_counted_as_an_error_and_a_disconnect_is_not() throws Exception {
        for (String path : new String[] {"/half", "/gone"}) {
            assertThatThrownBy(() -> get(path)).isInstanceOf(IOException.class);
        }
        await().untilAsserted(() -> assertThat(text()).contains("GET /half 500", "GET /gone 499"));
        assertThat(text()).contains("after the commit");
        assertThat(text().split("request failed", -1)).hasSize(2);
    }

    @Test
    void an_asynchronous_request_ends_when_it_is_complete() throws Exception {
        CompletableFuture<HttpResponse<String>> response =
                client.sendAsync(HttpRequest.newBuilder(uri("/later")).build(), BodyHandlers.ofString());
        await().until(() -> parked.get() != null);
        assertThat(text()).doesNotContain("/later");
        ((HttpServletResponse) parked.get().getResponse()).setStatus(202);
        parked.get().getResponse().getWriter().print("later");
        parked.get().complete();
        assertThat(response.get().body()).isEqualTo("later");
        await().untilAsserted(() -> assertThat(text()).contains("GET /later 202"));
        assertThat(text().lines().filter(line -> line.contains("GET /later"))).hasSize(1);
    }

    @Test
    void the_servlet_serves_the_endpoints_it_is_mapped_to() throws Exception {
        assertThat(get("/metrics").headers().firstValue("Content-Type"))
                .hasValueSatisfying(
                        type -> assertThat(type).startsWith("text/plain;").contains("version=0.0.4"));
        assertThat(get("/health/live").body()).contains("\"status\":\"ok\"");
        assertThat(get("/health/ready").statusCode()).isEqualTo(200);
        assertThat(get("/internal/profile").body()).startsWith("{\"routes\":{");
        assertThat(get("/other").statusCode()).isEqualTo(404);
        assertThat(get("/all/profile").statusCode()).isEqualTo(200);
        assertThat(get("/all/observe/").headers().firstValue("Content-Security-Policy"))
                .isPresent();
        assertThat(get("/all/observe/signals.js").body()).contains("import");
        assertThat(get("/all/observe/no.js").statusCode()).isEqualTo(404);
    }

    @Test
    void a_request_that_did_not_pass_the_filter_is_named() {
        ServletRequest request = (ServletRequest) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ServletRequest.class}, (proxy, method, arguments) -> null);
        assertThatThrownBy(() -> TelemetryServletFilter.request(request)).isInstanceOf(IllegalStateException.class);
    }

    private String text() {
        return lines.toString(UTF_8);
    }

    private URI uri(String path) {
        return URI.create("http://localhost:" + Objects.requireNonNull(server).port() + path);
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }
}
