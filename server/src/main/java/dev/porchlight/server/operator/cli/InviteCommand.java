// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.server.auth.InvitationList;
import dev.porchlight.server.auth.InvitationList.Report;
import dev.porchlight.server.auth.InvitationList.State;
import dev.porchlight.server.auth.Operator;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sends enrollment links to the people in a file. */
@Command(
        name = "invite",
        header = "Send enrollment links by mail to the people in a CSV file.",
        description = {
            "",
            "The first line names the columns: userId, and any of email, name, givenName, familyName, groups and locale.",
            "Groups are separated by semicolons. Running instances send the mails.",
            "People who have a passkey or a valid link are skipped, so the command can be repeated."
        })
final class InviteCommand extends BaseCommand {
    @Parameters(paramLabel = "FILE", description = "the CSV file, in UTF-8")
    private Path file = Path.of("");

    @Option(
            names = "--valid",
            paramLabel = "LIFETIME",
            defaultValue = "7d",
            converter = EnrollCommand.Lifetime.class,
            description = "how long the links are valid, from 1s to 7d; default: ${DEFAULT-VALUE}")
    private Duration valid = Duration.ZERO;

    @Mixin
    private final Format format = new Format();

    @Override
    int run() throws Exception {
        InvitationList people;
        if (Files.size(file) > 4L * InvitationList.MAX_CHARS) {
            throw new CommandException(file + " must have at most 1 MiB");
        }
        try {
            people = InvitationList.parse(UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString());
        } catch (CharacterCodingException e) {
            throw new CommandException(file + " must be in UTF-8");
        }
        if (storage().mail() == null) {
            throw new CommandException("no mail server is configured. Set SMTP_URL and MAIL_FROM.");
        }
        List<Report> reports = administer(directory -> people.lines().stream()
                .map(line -> InvitationList.invite(line, directory.invitations(), valid, Operator.commandLine()))
                .toList());
        format.print(Listing.of(json -> json.objects("people", reports, (member, report) -> report.write(member)))
                .table("", "people", "There is no one to invite.", "line", "userId=user", "state=result", "detail"));
        return reports.stream().anyMatch(report -> report.state() == State.REFUSED) ? Cli.FAILED : 0;
    }
}
