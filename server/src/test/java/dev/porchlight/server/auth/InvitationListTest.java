// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.porchlight.base.MalformedException;
import dev.porchlight.server.auth.InvitationList.Line;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InvitationListTest {
    @Test
    void people_are_read_with_quotes_line_breaks_and_empty_values() throws Exception {
        String csv = "\uFEFFuserId,name,groups\r\nada, Ada Lovelace ,\r\n\r\n"
                + "bob,\"Bob, \"\"the\nbuilder\"\"\",a;b\r\ncy,,";

        assertThat(InvitationList.parse(csv).lines())
                .containsExactly(
                        new Line(2, Map.of("userId", "ada", "name", "Ada Lovelace")),
                        new Line(4, Map.of("userId", "bob", "name", "Bob, \"the\nbuilder\"", "groups", "a;b")),
                        new Line(6, Map.of("userId", "cy")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|line 1",
                "email|line 1",
                "userId,password|line 1",
                "userId,email,email|line 1",
                "userId,email~ada|line 2",
                "userId,email~~ada,b,c|line 3",
                "userId~\"ada|line 2",
                "userId~\"ada\"x|line 2",
                "userId~a\"da|line 2",
                "userId~ada\rbob|line 2",
                "userId~a,b,c,d,e,f,g,h,i|line 2"
            })
    void a_file_with_an_error_is_refused_with_its_line(String csv, String line) {
        assertThatThrownBy(() -> InvitationList.parse(csv.replace('~', '\n')))
                .isInstanceOf(MalformedException.class)
                .hasMessageContaining(line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"value", "lines", "file"})
    void a_file_beyond_a_bound_is_refused(String bound) {
        String csv = switch (bound) {
            case "value" -> "userId\n" + "a".repeat(1_001);
            case "lines" -> "userId\n" + "a\n".repeat(1_001);
            default -> "userId\n" + "a".repeat(InvitationList.MAX_CHARS);
        };

        assertThatThrownBy(() -> InvitationList.parse(csv)).isInstanceOf(MalformedException.class);
    }
}
