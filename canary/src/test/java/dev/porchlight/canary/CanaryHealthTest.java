// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.canary;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.canary.CanaryRun.FailedStepException;
import dev.porchlight.observe.log.LogFormat;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.log.Thresholds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CanaryHealthTest {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final CanaryHealth health = new CanaryHealth(
            new Logger("test", Thresholds.parse("info", complaint -> {}), new LogFormat.Json(), LogWriter.to(lines)));

    @Test
    void the_step_of_the_last_failure_is_shown_and_the_time_of_the_first() {
        fail(0, "login", new IOException("503 storage_unavailable"));
        fail(60, "login", new IOException("500"));
        fail(120, "registration", new IOException("503"));

        assertThat(health.toJson())
                .isEqualTo("{\"state\":\"failing\",\"since\":" + BEGIN.toEpochMilli()
                        + ",\"step\":\"registration\",\"error\":\"503\"}");
        assertThat(lines.toString(UTF_8).lines()).hasSize(2);
    }

    @Test
    void a_failure_after_a_successful_round_is_a_new_one() {
        fail(0, "login", new IOException("503"));
        health.update(List.of(), null, "id", BEGIN.plusSeconds(60));
        fail(120, "login", new IOException("503"));

        assertThat(health.toJson())
                .contains("\"since\":" + BEGIN.plusSeconds(120).toEpochMilli());
        assertThat(lines.toString(UTF_8).lines()).hasSize(3);
    }

    @Test
    void a_failure_without_a_message_is_described_by_its_class() {
        fail(0, "login_options", new ConnectException());

        assertThat(health.toJson()).contains("\"error\":\"java.net.ConnectException\"");
    }

    static Stream<Exception> exceptionsThatQuoteHeaders() {
        String message = "invalid header value: \"Bearer secret\"";
        return Stream.of(
                new IllegalArgumentException(message),
                new ProtocolException(message),
                new IOException(message, new IllegalArgumentException(message)));
    }

    @ParameterizedTest
    @MethodSource("exceptionsThatQuoteHeaders")
    void a_message_that_may_quote_a_header_is_neither_shown_nor_logged(Exception cause) {
        fail(0, "enrollment", cause);

        assertThat(health.toJson()).contains("\"error\":\"" + cause.getClass().getName() + '"');
        assertThat(health.toJson() + lines.toString(UTF_8)).doesNotContain("secret");
    }

    private void fail(int seconds, String step, Exception cause) {
        health.update(List.of(), new FailedStepException(step, cause), "id", BEGIN.plusSeconds(seconds));
    }
}
