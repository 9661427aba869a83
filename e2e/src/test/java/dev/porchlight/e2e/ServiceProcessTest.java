// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ServiceProcessTest {
    @TempDir
    Path directory;

    @Test
    void stops_in_order_at_a_signal_with_its_spans_sent_and_status_0() throws Exception {
        List<String> traceIds = new CopyOnWriteArrayList<>();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/traces", exchange -> {
            var spans = ExportTraceServiceRequest.parseFrom(
                    exchange.getRequestBody().readAllBytes());
            spans.getResourceSpansList()
                    .forEach(resource -> resource.getScopeSpansList()
                            .forEach(scope -> scope.getSpansList()
                                    .forEach(span -> traceIds.add(java.util.HexFormat.of()
                                            .formatHex(span.getTraceId().toByteArray())))));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
        String endpoint = "http://127.0.0.1:" + collector.getAddress().getPort();
        String traceId = "4bf92f3577b34da6a3ce929d0e0e4736";

        try (Service service = Service.start(directory, Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint))) {
            service.get("/health/live", "traceparent", "00-" + traceId + "-00f067aa0ba902b7-01");
            service.process.destroy(); // SIGTERM

            assertThat(service.process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(service.process.exitValue()).isZero();
            assertThat(service.output()).contains("\"message\":\"stopping\"", "\"message\":\"stopped\"");
            assertThat(traceIds).contains(traceId);
        } finally {
            collector.stop(0);
        }
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void keeps_its_data_to_its_owner_and_leaves_no_temporary_file_behind() throws Exception {
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        Map<String, String> options = Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + temporary);

        try (Service service = Service.start(directory, options)) {
            assertThat(temporary).isEmptyDirectory();
            service.process.destroy();
            assertThat(service.process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(temporary).isEmptyDirectory();
        Path data = directory.resolve("data");
        assertThat(permissions(data)).isEqualTo("rwx------");
        assertThat(permissions(data.resolve("session-secret"))).isEqualTo("rw-------");
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void tells_all_faults_of_its_configuration_at_once_and_exits_with_2() throws Exception {
        var wrong = Map.of(
                "LOG_LEVEL", "loud", "MAX_BODY_BYTES", "many", "RP_ID", "example.com", "SESSION_SECRET", "short");

        try (Service service = Service.launch(directory, 8080, wrong)) {
            assertThat(service.process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(service.process.exitValue()).isEqualTo(2);
            assertThat(service.output()).contains("LOG_LEVEL", "MAX_BODY_BYTES", "RP_ID", "SESSION_SECRET");
        }
    }

    @Test
    void what_it_acknowledged_is_there_after_kill_9() throws Exception {
        String kid;
        try (Service service = Service.start(directory, Map.of())) {
            kid = service.get("/.well-known/jwks.json").body();
            service.process.destroyForcibly().waitFor();
        }
        try (Service again = Service.start(directory, Map.of())) {
            assertThat(again.get("/.well-known/jwks.json").body()).isEqualTo(kid);
        }
    }
}
