// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.canary;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.observe.log.LogFormat;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.log.Thresholds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionTest {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final Condition condition = new Condition(
            new Logger("test", Thresholds.parse("info", complaint -> {}), new LogFormat.Json(), LogWriter.to(lines)));

    @Test
    void shows_where_the_last_round_failed_and_since_when_they_do() {
        fail(0, "login", new IOException("503 storage_unavailable"));
        fail(60, "login", new IOException("500"));
        fail(120, "registration", new IOException("503"));

        assertThat(condition.check().details())
                .containsEntry("state", "failing")
                .containsEntry("since", BEGIN.toEpochMilli())
                .containsEntry("step", "registration")
                .containsEntry("error", "503");
        assertThat(lines.toString(UTF_8).lines()).hasSize(2);
    }

    @Test
    void a_failure_after_a_good_round_begins_anew() {
        fail(0, "login", new IOException("503"));
        condition.became(List.of(), null, "id", BEGIN.plusSeconds(60));
        fail(120, "login", new IOException("503"));

        assertThat(condition.check().details())
                .containsEntry("since", BEGIN.plusSeconds(120).toEpochMilli());
        assertThat(lines.toString(UTF_8).lines()).hasSize(3);
    }

    @Test
    void what_has_no_message_is_told_by_its_kind() {
        fail(0, "login_options", new ConnectException());

        assertThat(condition.check().details()).containsEntry("error", "java.net.ConnectException");
    }

    private void fail(int seconds, String step, Exception cause) {
        condition.became(List.of(), new FailedStepException(step, cause), "id", BEGIN.plusSeconds(seconds));
    }
}
