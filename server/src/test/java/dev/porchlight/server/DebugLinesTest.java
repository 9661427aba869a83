// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.remote.Person;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code LOG_LEVEL=debug} shows a developer. */
class DebugLinesTest {
    @Test
    void debug_shows_requests_with_their_steps_and_statements_without_values() throws Exception {
        String userId;
        String logs;
        try (Service service = Service.on(TestDatabase.SQLITE, "LOG_LEVEL", "debug")) {
            Person person = service.newUser().enroll();
            userId = person.userId();
            person.login().expect(200);
            logs = service.logs();
        }
        List<String> debug = logs.lines()
                .filter(line -> line.contains("\"level\":\"debug\""))
                .toList();
        assertThat(debug)
                .anyMatch(line -> line.contains("\"message\":\"POST /auth/passkey/login/finish begins\"")
                        && line.contains("\"correlationId\":"))
                .anyMatch(line -> line.contains("\"message\":\"login steps\"")
                        && line.contains("\"signature, ")
                        && line.contains(" µs\""))
                .anyMatch(line -> line.contains("\"logger\":\"sql\"")
                        && line.contains("\"message\":\"SELECT passkey_")
                        && line.contains("\"statement\":\"SELECT ")
                        && line.contains("\"correlationId\":")
                        && line.contains("\"durationMs\":"))
                .noneMatch(line -> line.contains(userId));
    }

    @Test
    void statements_have_their_own_level() throws Exception {
        try (Service service = Service.on(TestDatabase.SQLITE, "LOG_LEVEL", "info,sql=debug")) {
            service.newUser().enroll().login().expect(200);
            assertThat(service.logs().lines().filter(line -> line.contains("\"level\":\"debug\"")))
                    .isNotEmpty()
                    .allMatch(line -> line.contains("\"logger\":\"sql\""));
        }
    }
}
