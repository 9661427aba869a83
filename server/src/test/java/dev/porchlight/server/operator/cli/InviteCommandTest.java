// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Invitations on the command line. MailTest receives the mails. */
class InviteCommandTest {
    @TempDir
    Path directory;

    private CliRun run(String... words) {
        return CliRun.of(
                Map.of(
                        "DATA_DIR",
                        directory.toString(),
                        "SMTP_URL",
                        "smtp://127.0.0.1:1",
                        "MAIL_FROM",
                        "porchlight@b.example"),
                words);
    }

    private String file(String csv) throws IOException {
        return Files.writeString(directory.resolve("people.csv"), csv).toString();
    }

    @Test
    void a_file_can_be_repeated_and_its_report_has_a_line_per_person() throws IOException {
        String file = file("userId,email,name\nada,ada@b.example,Ada\nbob,bob@b.example,Bob\n");

        CliRun first = run("invite", file);

        assertThat(first.status()).as(first.err()).isZero();
        assertThat(first.out()).containsPattern("2 +ada +invited").containsPattern("3 +bob +invited");
        assertThat(run("invite", file).out())
                .containsPattern("ada +skipped +has a valid link")
                .doesNotContain("invited");
        assertThat(run("users", "show", "ada").out()).contains("ada@b.example");
        assertThat(run("audit", "verify").status()).isZero();
    }

    @Test
    void a_person_who_cannot_be_invited_fails_the_command_and_stops_no_other() throws IOException {
        CliRun run = run("invite", file("userId,email\n porchlight:x,a@b.example\nbob,bob@b.example\ncy,\n"));

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out())
                .containsPattern("porchlight:x +refused")
                .containsPattern("bob +invited")
                .containsPattern("cy +refused +the user has no email address");
    }

    @Test
    void a_malformed_file_invites_no_one() throws IOException {
        CliRun run = run("invite", file("userId,email\nada,a@b.example\n\"bob"));

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("line 3", "a quote is not closed");
        assertThat(run("users", "list").out()).doesNotContain("ada");
    }

    @Test
    void doctor_reports_a_mail_server_that_is_down() {
        assertThat(run("doctor").out()).contains("the mail server smtp://127.0.0.1:1 cannot be used");
    }

    @Test
    void without_a_mail_server_no_one_is_invited() throws IOException {
        CliRun run =
                CliRun.of(Map.of("DATA_DIR", directory.toString()), "invite", file("userId,email\nada,a@b.example\n"));

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("Set SMTP_URL");
    }
}
