// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quick start of the guide runs with the observe module alone, and does what the guide says. */
class GuideTest {
    private static final Path GUIDE =
            Path.of(System.getProperty("porchlight.root"), "docs/guides/observability/README.md");
    private static final Pattern BLOCK = Pattern.compile("(?s)```java\n(.*?)```");

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    Path folder;

    @Test
    void the_quick_start_runs_and_observes_its_requests() throws Exception {
        Matcher block = BLOCK.matcher(Files.readString(GUIDE));
        assertThat(block.find()).isTrue();
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        assertThat(block.group(1)).containsOnlyOnce("8080");
        Path source =
                Files.writeString(folder.resolve("Shop.java"), block.group(1).replace("8080", Integer.toString(port)));
        String module = Path.of(Observability.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-cp", module, "-d", folder.toString(), source.toString());
        assertThat(compiled).isZero();
        Process shop = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        module + File.pathSeparator + folder,
                        "Shop")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("lines").toFile())
                .start();
        try {
            URI base = URI.create("http://localhost:" + port);
            await().ignoreExceptionsInstanceOf(IOException.class)
                    .until(() -> get(base.resolve("/health/ready")).statusCode() == 200);
            HttpResponse<String> orders = get(base.resolve("/orders"));
            assertThat(orders.headers().firstValue("X-Correlation-ID")).hasValue("quick-start");
            await().untilAsserted(() -> assertThat(get(base.resolve("/metrics")).body())
                    .contains("http_requests_total{method=\"GET\",route=\"/orders\",status=\"200\"} 1\n"));
            assertThat(get(base.resolve("/health/live")).body()).contains("\"status\":\"ok\"");
            assertThat(get(base.resolve("/profile")).body()).contains("\"GET /orders\":{\"count\":1");
        } finally {
            shop.destroy();
        }
        shop.waitFor(); // its shutdown hook writes the remaining lines
        assertThat(Files.readString(folder.resolve("lines")))
                .contains("\"message\":\"listing orders\"", "\"correlationId\":\"quick-start\"", "GET /orders 200");
    }

    private HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(uri)
                        .header("X-Correlation-ID", "quick-start")
                        .build(),
                BodyHandlers.ofString());
    }
}
