// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SmtpUrlTest {
    @ParameterizedTest
    @CsvSource({
        "smtp://mail.example.com, mail.example.com, 587, STARTTLS",
        "smtp://mail.example.com:25/, mail.example.com, 25, STARTTLS",
        "smtp://mail.internal:25?starttls=off, mail.internal, 25, NONE",
        "smtps://mail.example.com, mail.example.com, 465, TLS",
        "smtps://localhost, localhost, 465, TLS",
        "smtp://localhost:2525, localhost, 2525, NONE",
        "smtp://u:p@[::1]:2525, [::1], 2525, NONE"
    })
    void a_url_names_the_server_and_its_protection(String url, String host, int port, SmtpUrl.Security security) {
        SmtpUrl parsed = SmtpUrl.parse(url);

        assertThat(parsed.host()).isEqualTo(host);
        assertThat(parsed.port()).isEqualTo(port);
        assertThat(parsed.security()).isEqualTo(security);
    }

    @Test
    void credentials_are_decoded_and_not_displayed() {
        SmtpUrl parsed = SmtpUrl.parse("smtps://me%40example.com:p%2F%25q@mail.example.com");

        assertThat(parsed.user()).isEqualTo("me@example.com");
        assertThat(parsed.password()).isEqualTo("p/%q");
        assertThat(parsed.toString()).isEqualTo("smtps://mail.example.com:465");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mail.example.com",
                "http://mail.example.com",
                "smtp://",
                "smtp:mail.example.com",
                "smtp://u:hush@mail.example.com:0",
                "smtp://u:hush@mail.example.com:99999",
                "smtp://u:hush@mail.example.com/path",
                "smtp://u:hush@mail.example.com#part",
                "smtp://:hush@mail.example.com",
                "smtp://hush:@mail.example.com",
                "smtp://u:hu sh@mail.example.com",
                "smtp://u:hush@mail.example.com?starttls=off",
                "smtps://u:hush@mail.example.com?starttls=off",
                "smtp://u:hush@mail.example.com?auth=none"
            })
    void another_url_is_refused_without_its_password(String url) {
        assertThatThrownBy(() -> SmtpUrl.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("hush"));
    }
}
