// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Variable;
import dev.porchlight.server.console.Cause;
import dev.porchlight.server.console.Causes;
import dev.porchlight.server.explain.Capture;
import dev.porchlight.server.explain.Explainer;
import dev.porchlight.server.explain.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what this deployment makes of a captured response. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        header = "Say, step by step, what this deployment makes of a response that was captured.",
        description = {
            "",
            "Takes what a browser sent to finish a registration or a login, as JSON, and judges it against this",
            "configuration and the passkeys in the database. A step that refuses is shown with the cause and",
            "what to do; those behind it are judged too, as far as they can be.",
            "",
            "Spends no challenge and changes nothing. Ends with 1 if a step refuses."
        })
final class ExplainCommand extends OnStore {
    @Parameters(paramLabel = "FILE", description = "the response; - for standard input")
    private String file = "";

    @Option(names = "--options", paramLabel = "FILE", description = "the options that it answers")
    private @Nullable Path options;

    @Option(names = "--user", paramLabel = "USER", description = "the user id that the request named")
    private @Nullable String user;

    ExplainCommand(Map<String, String> environment) {
        super(environment);
    }

    @Override
    int run(Config config, OpenStore store) throws Exception {
        if (user != null) {
            UserIds.require(user);
        }
        Capture capture = new Capture(response(), options == null ? null : Files.readString(options), user);
        Explainer explainer = new Explainer(config.relyingParty(), store.credentials(), Clock.systemUTC());
        int refused = 0;
        for (Finding finding : explainer.explain(capture)) {
            switch (finding.state()) {
                case PASSED -> out().println("  green  " + finding.step().code());
                case NOT_CHECKED ->
                    out().println("  -      " + finding.step().code() + ": not checked, " + finding.detail());
                case REFUSED -> {
                    tell(finding);
                    refused++;
                }
            }
        }
        out().println(
                        refused == 0
                                ? "No step refuses it."
                                : refused == 1 ? "One step refuses it." : refused + " steps refuse it.");
        return refused == 0 ? 0 : Cli.FAILED;
    }

    private String response() throws IOException {
        return file.equals("-") ? new String(System.in.readAllBytes(), UTF_8) : Files.readString(Path.of(file));
    }

    private void tell(Finding finding) {
        Cause cause = Causes.of(finding.step());
        out().println("  RED    " + finding.step().code() + ": " + finding.detail());
        out().println("         " + cause.what());
        out().println("         " + cause.advice());
        if (!cause.settings().isEmpty()) {
            out().println("         look at: "
                    + cause.settings().stream().map(Variable::name).collect(Collectors.joining(", ")));
        }
    }
}
