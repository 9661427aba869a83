// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MalformedExceptionTest {
    @Test
    void the_message_names_the_part_and_the_reason() {
        var malformed = new MalformedException("attestationObject.fmt", "not a string");
        assertThat(malformed.part()).isEqualTo("attestationObject.fmt");
        assertThat(malformed).hasMessage("attestationObject.fmt: not a string");
        assertThat(malformed.getStackTrace()).isEmpty();
    }

    @Test
    void T44_received_text_is_quoted_short_and_printable() {
        String name = "line\\r\\nbreak \\u202e \\\" " + "x".repeat(1000);
        assertThatThrownBy(() -> JsonObject.parse("{\"" + name + "\":1,\"" + name + "\":1}", "doc"))
                .hasMessage("doc: duplicate member \"line??break ? ? xxxxxxxx…\"");
    }
}
