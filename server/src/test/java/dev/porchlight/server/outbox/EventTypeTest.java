// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class EventTypeTest {
    private static final Pattern ROW = Pattern.compile("\\| `([a-z_.]+)` \\| (`[a-z_`, ]+) \\|");

    @Test
    void the_guide_lists_all_types_with_their_actions() throws IOException {
        Map<String, String> types = new LinkedHashMap<>();
        EventType.byAction().forEach((action, type) -> types.merge(type, '`' + action + '`', (a, b) -> a + ", " + b));

        Map<String, String> described = new LinkedHashMap<>();
        Path guide = Path.of(System.getProperty("porchlight.root"), "docs/guides/webhooks.md");
        ROW.matcher(Files.readString(guide)).results().forEach(row -> described.put(row.group(1), row.group(2)));
        assertThat(described.entrySet()).containsExactlyElementsOf(types.entrySet());
    }

    @Test
    void a_filter_accepts_types_and_groups_of_types() {
        assertThat(EventType.matches(List.of("user.*"), "user.locked")).isTrue();
        assertThat(EventType.matches(List.of("user.*"), "users.locked")).isFalse();
        assertThat(EventType.matches(List.of("user.locked"), "user.locked")).isTrue();
        assertThat(EventType.matches(List.of("user.locked"), "user.unlocked")).isFalse();
        assertThat(EventType.matches(List.of("user.locked"), EventType.TEST)).isTrue();
        assertThat(EventType.isPattern("passkey.*")).isTrue();
        assertThat(EventType.isPattern("passkey.")).isFalse();
        assertThat(EventType.isPattern(".*")).isFalse();
    }
}
