// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.mail.MailRenderer.Rendered;
import dev.porchlight.server.web.Languages;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MailRendererTest {
    static MailRenderer renderer(String name) {
        return new MailRenderer(name, "mailto:help@example.com", Languages.SHIPPED::of);
    }

    static Stream<Arguments> mails() {
        return Stream.of(Notice.values())
                .flatMap(notice ->
                        Stream.of("en", "de", "es", "fr", "ar").map(language -> Arguments.of(notice, language)));
    }

    @ParameterizedTest
    @MethodSource("mails")
    void a_mail_is_complete_in_each_language(Notice notice, String language) {
        MailMessage message = new MailMessage(
                "a@b.example", "{link}<b>", language, notice == Notice.TEST ? "" : "https://p.example/#x=1", 0, 1);

        Rendered mail = renderer("Shop").render(notice, message);

        assertThat(mail.language()).isEqualTo(language);
        assertThat(mail.subject()).contains("Shop").doesNotContain("{");
        assertThat(mail.text().replace("{link}", ""))
                .contains("Shop", "mailto:help@")
                .doesNotContain("{", "}");
        assertThat(mail.html()).contains("<html lang=\"" + language).doesNotContain("<b>");
        assertThat(mail.text().contains("https://p.example/#x=1")).isEqualTo(notice != Notice.TEST);
        assertThat(mail.text().contains("{link}<b>"))
                .as("only in mails to users who are known to own the address")
                .isEqualTo(notice != Notice.TEST && notice != Notice.VERIFICATION);
    }
}
