// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Whatever comes in, one line of bounded size comes out, and where it is JSON a strict reader takes it. */
class AnyFieldsPropertyTest {
    @Property(tries = 1000)
    void any_message_and_fields_make_one_json_line_without_duplicate_names(@ForAll long seed) {
        AnyFields any = new AnyFields(seed);
        Captured captured = new Captured();
        captured.json()
                .child(Fields.of(any.fields()))
                .child(Fields.of(any.fields()))
                .info(any.text(), Fields.of(any.fields()));
        judge(captured, "level", "info");
    }

    @Property(tries = 500)
    void any_message_fields_and_exception_make_one_json_line_for_the_cloud(@ForAll long seed) {
        AnyFields any = new AnyFields(seed);
        Captured captured = new Captured();
        RuntimeException thrown = new RuntimeException(any.text(), new Exception(any.text()));
        captured.cloud().child(Fields.of(any.fields())).error(any.text(), thrown, Fields.of(any.fields()));
        judge(captured, "severity", "ERROR");
    }

    @Property(tries = 500)
    void any_message_and_fields_make_one_line_on_the_console(@ForAll long seed) {
        AnyFields any = new AnyFields(seed);
        Captured captured = new Captured();
        captured.console().child(Fields.of(any.fields())).info(any.text(), Fields.of(any.fields()));
        assertThat(captured.text().chars().filter(c -> c < 0x20 || c >= 0x7f && c <= 0x9f))
                .containsExactly((int) '\n');
        assertThat(captured.text()).startsWith("10:20:30.123Z INFO  auth  ").endsWith("\n");
        assertThat(captured.size()).isLessThanOrEqualTo(Line.MAX_BYTES);
    }

    private static void judge(Captured captured, String levelName, String level) {
        assertThat(captured.object())
                .containsEntry(levelName, level)
                .containsEntry("timestamp", Captured.NOW)
                .containsEntry("service", "auth")
                .containsKey("message");
        assertThat(captured.size()).isLessThanOrEqualTo(Line.MAX_BYTES);
        assertThat(captured.writer.stats().dropped()).isZero();
    }
}
