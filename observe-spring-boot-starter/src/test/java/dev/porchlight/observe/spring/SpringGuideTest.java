// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.ObservabilitySettings;
import dev.porchlight.observe.trace.Scope;
import dev.porchlight.observe.trace.Span;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.task.TaskDecorator;
import org.springframework.web.client.RestClient;

/** The guide's section about Spring Boot. */
class SpringGuideTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));

    @Test
    void the_dependencies_are_those_of_the_example() throws IOException {
        List<String> blocks = Pattern.compile("(?s)```xml\n(.*?)```")
                .matcher(guide())
                .results()
                .map((MatchResult block) -> block.group(1))
                .toList();
        assertThat(blocks).hasSize(1);
        assertThat(Files.readString(ROOT.resolve("examples/observe-spring-boot/pom.xml")))
                .contains(blocks.get(0));
    }

    @Test
    @SuppressWarnings("try") // a scope is only closed
    void the_beans_extend_a_trace_to_other_threads_and_services(@TempDir Path folder) throws Exception {
        TelemetryPort.limitRequests(); // this server may be the first of the process
        AtomicReference<String> sent = new AtomicReference<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", SpringGuideTest::accept);
        server.createContext("/stock", exchange -> {
            sent.set(exchange.getRequestHeaders().getFirst("traceparent"));
            accept(exchange);
        });
        server.start();
        String address = "http://localhost:" + server.getAddress().getPort();
        try (URLClassLoader loader = compiled(folder);
                Observability observe = Observability.open(ObservabilitySettings.fromEnvironment(
                        "shop", Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", address)))) {
            Class<?> traces = loader.loadClass("Traces");
            Object configuration = traces.getConstructor().newInstance();
            TaskDecorator decorator =
                    (TaskDecorator) traces.getMethod("taskDecorator").invoke(configuration);
            RestClient client = (RestClient)
                    traces.getMethod("restClient", Observability.class).invoke(configuration, observe);
            AtomicReference<String> correlationId = new AtomicReference<>();
            try (Span span = observe.tracer().start("order");
                    Scope scope = span.makeCurrent("abc-1")) {
                CompletableFuture.runAsync(decorator.decorate(() -> {
                            client.get().uri(address + "/stock").retrieve().toBodilessEntity();
                            correlationId.set(Scope.correlationId());
                        }))
                        .get();
                assertThat(sent.get()).contains(span.context().traceIdHex());
                assertThat(correlationId).hasValue("abc-1");
            }
        } finally {
            server.stop(0);
        }
    }

    private static void accept(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    /** Compiles the beans of the guide. */
    private static URLClassLoader compiled(Path folder) throws IOException {
        Matcher block =
                Pattern.compile("(?s)```java\n(?=[^`]*class Traces )(.*?)```").matcher(guide());
        assertThat(block.find()).isTrue();
        Path source = Files.writeString(folder.resolve("Traces.java"), block.group(1));
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-cp",
                                classPath,
                                "-d",
                                folder.toString(),
                                source.toString()))
                .isZero();
        return new URLClassLoader(new URL[] {folder.toUri().toURL()});
    }

    @Test
    void every_property_is_described_in_the_guide_and_for_editors() throws IOException {
        String metadata;
        try (InputStream file =
                ObserveProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            metadata = new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
        for (RecordComponent property : ObserveProperties.class.getRecordComponents()) {
            String name = "porchlight.observe." + property.getName();
            assertThat(guide()).contains("| `" + name + "` |");
            assertThat(metadata)
                    .containsPattern("\"name\": \"" + Pattern.quote(name)
                            + "\",\\s+\"type\": \"[^\"]+\",\\s+\"description\": \"[A-Z]");
        }
    }

    private static String guide() throws IOException {
        return Files.readString(ROOT.resolve("docs/guides/observability/README.md"));
    }
}
