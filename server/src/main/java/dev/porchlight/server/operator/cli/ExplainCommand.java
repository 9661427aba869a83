// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.history.Capture;
import dev.porchlight.server.operator.explain.Explainer;
import dev.porchlight.server.operator.explain.Explainer.Explanation;
import dev.porchlight.server.storage.UserAccess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Explains how a captured or refused response is verified. */
@Command(
        name = "explain",
        header = "Explain a support code, or how a captured response is verified.",
        description = {
            "",
            "Reads the JSON that a browser sent to finish a registration or a login, and verifies it against this"
                    + " configuration and the passkeys in the database. With --code, asks the running service, with ADMIN_TOKEN if"
                    + " set, for anything that failed on any instance in the last 24 hours: sign-ins, new passkeys,"
                    + " enrollment links and requests of applications.",
            "",
            "Shows the cause and a fix. For a response, shows each step that refuses, and checks the steps after it as far as"
                    + " possible. Uses up no challenge and changes nothing. Exits with 1 if a step refuses the response, or"
                    + " if nothing has the code."
        })
final class ExplainCommand extends BaseCommand {
    @Parameters(arity = "0..1", paramLabel = "FILE", description = "the response; - for standard input")
    private @Nullable String file;

    @Option(names = "--options", paramLabel = "FILE", description = "the options of the response, or their challenge")
    private @Nullable Path options;

    @Option(names = "--user", paramLabel = "USER", description = "the user id that the request named")
    private @Nullable String user;

    @Option(
            names = "--code",
            paramLabel = "CODE",
            description = "the support code that a page showed, or the correlation id or trace id of a request")
    private @Nullable String code;

    @Option(names = "--url", paramLabel = "URL", description = "the URL of the console; default: this machine")
    private @Nullable URI url;

    @Mixin
    private final Format format = new Format();

    @Override
    int run() throws Exception {
        if ((file == null) == (code == null)) {
            throw misuse("give either a FILE or --code");
        }
        if (file != null && url != null || code != null && (options != null || user != null)) {
            throw misuse("--url requires --code; --options and --user require a FILE");
        }
        ExplanationListing explained = code == null
                ? ExplanationListing.of(captured())
                : ExplanationListing.of(code, RunningInstance.of(config(), url));
        format.print(explained.listing());
        return explained.refused() ? Cli.FAILED : 0;
    }

    private Explanation captured() throws Exception {
        if (user != null) {
            UserIds.requireExisting(user);
        }
        Capture capture = Capture.of(response(), options == null ? null : Files.readString(options), user);
        Sql sql = storage().sql();
        return new Explainer(
                        config().relyingParty(),
                        credentials(),
                        Clock.systemUTC(),
                        owner -> UserAccess.read(sql, owner).locked(),
                        authenticators())
                .explain(capture);
    }

    private String response() throws IOException {
        return "-".equals(file)
                ? new String(System.in.readAllBytes(), UTF_8)
                : Files.readString(Path.of(String.valueOf(file)));
    }
}
