// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MalformedExceptionTest {
    @Test
    void says_which_part_and_why() {
        var malformed = new MalformedException("attestationObject.fmt", "not a text");
        assertThat(malformed.part()).isEqualTo("attestationObject.fmt");
        assertThat(malformed).hasMessage("attestationObject.fmt: not a text");
        assertThat(malformed.getStackTrace()).isEmpty();
    }

    @Test
    void T44_quotes_received_text_short_and_printable() {
        String name = "line\\r\\nbreak \\u202e \\\" " + "x".repeat(1000);
        assertThatThrownBy(() -> JsonObject.parse("{\"" + name + "\":1,\"" + name + "\":1}", "doc"))
                .hasMessage("doc: member \"line??break ? ? xxxxxxxx…\" twice");
    }
}
