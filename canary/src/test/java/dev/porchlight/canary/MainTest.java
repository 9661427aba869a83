// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.canary;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private static final Map<String, String> TOKEN = Map.of("ADMIN_TOKEN", "secret");

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''                             | the URL of the service is missing
                    login.example.com              | login.example.com must be an http or https URL
                    http://localhost --every 0     | --every must be a number from 1 to 180
                    http://localhost --every 181   | --every must be a number from 1 to 180
                    http://login.example.com       | http://login.example.com must be an https URL
                    http://127.0.0.1.example.com   | http://127.0.0.1.example.com must be an https URL
                    https://a --admin-url http://b | http://b must be an https URL
                    http://localhost --port        | --port needs a value
                    http://localhost --fast 1      | unknown argument --fast
                    http://localhost http://other  | unknown argument http://other
                    """)
    void an_invalid_command_line_is_refused_with_the_usage(String line, String reason) throws Exception {
        assertThat(run(TOKEN, line.split(" ", -1))).isEqualTo(2);
        assertThat(printed.toString(UTF_8)).startsWith("Error: " + reason).contains("Usage: porchlight canary");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080", "https://example.com"})
    void loopback_hosts_may_use_http(String url) {
        assertThat(CanarySettings.parse(List.of(url), TOKEN).url()).isEqualTo(url);
    }

    @Test
    void a_missing_admin_token_is_named() throws Exception {
        assertThat(run(Map.of(), "http://localhost")).isEqualTo(2);
        assertThat(printed.toString(UTF_8)).startsWith("Error: ADMIN_TOKEN must be in the environment");
    }

    @Test
    void whitespace_around_the_admin_token_is_removed() {
        assertThat(CanarySettings.parse(List.of("https://login.example.com"), Map.of("ADMIN_TOKEN", " secret\r\n"))
                        .adminToken())
                .isEqualTo("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sec\nret", "sec\tret", "secr\u00e9t"})
    void an_admin_token_that_no_header_can_carry_is_refused_and_not_printed(String token) throws Exception {
        assertThat(run(Map.of("ADMIN_TOKEN", token), "http://localhost")).isEqualTo(2);
        assertThat(printed.toString(UTF_8))
                .startsWith("Error: ADMIN_TOKEN must consist of printable ASCII characters")
                .doesNotContain(token);
    }

    @Test
    void the_token_is_not_printed_with_the_settings() {
        assertThat(CanarySettings.parse(List.of("https://login.example.com/"), TOKEN))
                .hasToString("canary of https://login.example.com");
    }

    private int run(Map<String, String> environment, String... arguments) throws Exception {
        var out = new PrintStream(printed, true, UTF_8);
        return Main.run(List.of(arguments).stream().filter(it -> !it.isEmpty()).toList(), environment, out, out);
    }
}
