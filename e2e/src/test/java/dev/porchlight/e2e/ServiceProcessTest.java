// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.support.Patience;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ServiceProcessTest {
    private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";

    private static final Duration EXIT_TIMEOUT = Patience.LIMIT;

    @TempDir
    Path directory;

    /** Limits the JIT compiler, because the service runs only for seconds. */
    private Launch launch() throws IOException {
        return Launch.in(directory).patient().jvm("-XX:TieredStopAtLevel=1");
    }

    @Test
    void a_signal_stops_the_service_with_status_0_after_its_spans_are_sent() throws Exception {
        try (Collector collector = new Collector();
                Instance service = launch().with("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url())
                        .start()) {
            service.get("/health/live", "traceparent", "00-" + TRACE_ID + "-00f067aa0ba902b7-01");
            service.terminate();

            assertThat(service.awaitExit(EXIT_TIMEOUT)).isZero();
            assertThat(service.log()).contains("\"message\":\"stopping\"", "\"message\":\"stopped\"");
            assertThat(collector.traceIds).contains(TRACE_ID);
        }
    }

    @Test
    void a_signal_lets_the_current_request_finish_and_refuses_new_ones() {
        // again if the machine stalls for longer than a request may take to send its body
        Awaitility.await().ignoreExceptions().untilAsserted(this::assertSignalLetsRequestFinish);
    }

    private void assertSignalLetsRequestFinish() throws Exception {
        try (Collector collector = new Collector();
                Instance service = launch().with("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url())
                        .with("SHUTDOWN_DELAY_MS", "2000")
                        .with("SHUTDOWN_TIMEOUT_MS", "60000")
                        .start();
                SlowRequest request = new SlowRequest(service.port(), TRACE_ID)) {
            service.terminate();
            Awaitility.await().until(() -> service.get("/health/ready").status() == 503);
            Awaitility.await().until(() -> refused(service));
            assertThat(service.process().isAlive()).isTrue();

            assertThat(request.finish("{\"userId\":\"ada\"}")).startsWith("HTTP/1.1 201 ");
            assertThat(service.awaitExit(EXIT_TIMEOUT)).isZero();
            assertThat(collector.traceIds).contains(TRACE_ID);
        }
    }

    private static boolean refused(Instance service) throws Exception {
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
            disabledReason = "needs POSIX file permissions")
    void data_is_private_and_no_unpacked_database_driver_is_left_behind() throws Exception {
        Path temporary = Files.createDirectory(directory.resolve("tmp"));

        // without a class archive, which has an unpacked driver
        try (Instance service =
                launch().jvm("-Xshare:auto", "-Djava.io.tmpdir=" + temporary).start()) {
            assertThat(temporary).isDirectoryNotContaining("glob:**sqlite*");
            service.terminate();
            service.awaitExit(EXIT_TIMEOUT);
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
    void all_configuration_errors_are_reported_at_once_with_status_2() throws Exception {
        Launch invalid = launch().with("LOG_LEVEL", "loud")
                .with("MAX_BODY_BYTES", "many")
                .with("RP_ID", "example.com")
                .with("SESSION_SECRET", "short");

        try (Instance service = invalid.launch()) {
            assertThat(service.awaitExit(EXIT_TIMEOUT)).isEqualTo(2);
            assertThat(service.log()).contains("LOG_LEVEL", "MAX_BODY_BYTES", "RP_ORIGIN", "SESSION_SECRET");
        }
    }

    @Test
    void acknowledged_data_survives_kill_9() throws Exception {
        String kid;
        try (Instance service = launch().start()) {
            kid = service.get("/.well-known/jwks.json").body();
            service.kill();
        }
        try (Instance again = launch().start()) {
            assertThat(again.get("/.well-known/jwks.json").body()).isEqualTo(kid);
        }
    }
}
