// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
@Tag("slow")
class ServiceProcessTest {
    private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";

    @TempDir
    Path directory;

    @Test
    void stops_in_order_at_a_signal_with_its_spans_sent_and_status_0() throws Exception {
        try (Collector collector = new Collector();
                Service service = Service.start(directory, Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url()))) {
            service.get("/health/live", "traceparent", "00-" + TRACE_ID + "-00f067aa0ba902b7-01");
            service.process.destroy(); // SIGTERM

            assertThat(service.process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(service.process.exitValue()).isZero();
            assertThat(service.output()).contains("\"message\":\"stopping\"", "\"message\":\"stopped\"");
            assertThat(collector.traceIds).contains(TRACE_ID);
        }
    }

    @Test
    void ends_the_request_under_way_at_a_signal_and_takes_no_other() throws Exception {
        try (Collector collector = new Collector();
                Service service = Service.start(
                        directory,
                        Map.of(
                                "OTEL_EXPORTER_OTLP_ENDPOINT",
                                collector.url(),
                                "SHUTDOWN_DELAY_MS",
                                "2000",
                                "SHUTDOWN_TIMEOUT_MS",
                                "60000"));
                SlowRequest request = new SlowRequest(service.port(), TRACE_ID)) {
            service.process.destroy();
            Awaitility.await().until(() -> service.get("/health/ready").statusCode() == 503);
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> refused(service));
            assertThat(service.process.isAlive()).isTrue();

            assertThat(request.finish("{\"userId\":\"ada\"}")).startsWith("HTTP/1.1 201 ");
            assertThat(service.process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(service.process.exitValue()).isZero();
            assertThat(collector.traceIds).contains(TRACE_ID);
        }
    }

    private static boolean refused(Service service) throws Exception {
        try {
            service.get("/health/live");
            return false;
        } catch (ConnectException closed) {
            return true;
        }
    }

    @Test
    @EnabledOnOs(
            value = {OS.LINUX, OS.MAC},
            disabledReason = "file permissions are those of POSIX")
    void keeps_its_data_to_its_owner_and_leaves_no_unpacked_database_driver_behind() throws Exception {
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        Map<String, String> options = Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + temporary);

        try (Service service = Service.start(directory, options)) {
            assertThat(temporary).isDirectoryNotContaining("glob:**sqlite*");
            service.process.destroy();
            assertThat(service.process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(temporary).isDirectoryNotContaining("glob:**sqlite*");
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
            assertThat(service.output()).contains("LOG_LEVEL", "MAX_BODY_BYTES", "RP_ORIGIN", "SESSION_SECRET");
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
