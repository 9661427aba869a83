// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Any input yields one line of bounded size, and strict JSON in the JSON formats. */
class AnyFieldsPropertyTest {
    @Property(tries = 1000)
    void any_message_and_fields_become_one_json_line_without_duplicate_names(@ForAll long seed) {
        AnyFields any = new AnyFields(seed);
        Captured captured = new Captured();
        captured.json()
                .child(Fields.of(any.fields()))
                .child(Fields.of(any.fields()))
                .info(any.text(), Fields.of(any.fields()));
        check(captured, "level", "info");
    }

    @Property(tries = 500)
    void any_message_fields_and_exception_become_one_cloud_json_line(@ForAll long seed) {
        AnyFields any = new AnyFields(seed);
        Captured captured = new Captured();
        RuntimeException thrown = new RuntimeException(any.text(), new Exception(any.text()));
        captured.cloud().child(Fields.of(any.fields())).error(any.text(), thrown, Fields.of(any.fields()));
        check(captured, "severity", "ERROR");
    }

    @Property(tries = 500)
    void any_message_and_fields_become_one_console_line(@ForAll long seed) {
        AnyFields any = new AnyFields(seed);
        Captured captured = new Captured();
        captured.console().child(Fields.of(any.fields())).info(any.text(), Fields.of(any.fields()));
        assertThat(captured.text().chars().filter(c -> c < 0x20 || c >= 0x7f && c <= 0x9f))
                .containsExactly((int) '\n');
        assertThat(captured.text()).startsWith("10:20:30.123Z INFO  auth  ").endsWith("\n");
        assertThat(captured.size()).isLessThanOrEqualTo(Line.MAX_BYTES);
    }

    private static void check(Captured captured, String levelName, String level) {
        assertThat(captured.object())
                .containsEntry(levelName, level)
                .containsEntry("timestamp", Captured.NOW)
                .containsEntry("service", "auth")
                .containsKey("message");
        assertThat(captured.size()).isLessThanOrEqualTo(Line.MAX_BYTES);
        assertThat(captured.writer.stats().dropped()).isZero();
    }
}
