// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.Thresholds;
import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SystemLogsTest {
    private static final String CLIENT = "jdk.internal.httpclient.debug";

    /** Logs before telemetry is open. */
    public static final class Early {
        public static void main(String[] arguments) {
            System.Logger logger = System.getLogger("early");
            logger.log(System.Logger.Level.DEBUG, "detail");
            logger.log(System.Logger.Level.INFO, "news");
            logger.log(System.Logger.Level.WARNING, "trouble");
        }
    }

    @Test
    void the_service_opts_in() {
        assertThat(System.LoggerFinder.getLoggerFinder()).isInstanceOf(SystemLogs.class);
    }

    @Test
    void early_warnings_have_the_service_name() throws Exception {
        ProcessBuilder java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                        .replace(';', File.pathSeparatorChar),
                Early.class.getName());
        java.environment().put("LOG_LEVEL", "debug");
        Process process = java.redirectErrorStream(true).start();
        String lines = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).isZero();
        assertThat(lines.lines()).singleElement().asString().contains("trouble").contains("\"service\":\"porchlight\"");
    }

    @Test
    void the_jdk_http_client_is_quiet_unless_its_own_level_is_set() {
        assertThat(level("debug")).isEqualTo(Level.WARN);
        assertThat(level("error")).isEqualTo(Level.ERROR);
        assertThat(level("info,jdk.internal.httpclient=debug")).isEqualTo(Level.DEBUG);
        assertThat(level("debug,jdk.internal.httpclient.debug=trace")).isEqualTo(Level.TRACE);
    }

    private static Level level(String asked) {
        return ProcessTelemetry.quieted(Thresholds.parse(asked, complaint -> {}))
                .of(CLIENT);
    }
}
