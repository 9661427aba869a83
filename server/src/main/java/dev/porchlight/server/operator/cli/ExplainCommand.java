// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.history.Capture;
import dev.porchlight.server.history.Cause;
import dev.porchlight.server.operator.explain.Explainer;
import dev.porchlight.server.operator.explain.Finding;
import dev.porchlight.server.wiring.Parts;
import dev.porchlight.server.wiring.StorageModule;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Says what this deployment makes of a response that was captured, or refused. */
@Command(
        name = "explain",
        header = "Say, step by step, what becomes of a response that was captured or refused.",
        description = {
            "",
            "Takes what a browser sent to finish a registration or a login, as JSON, and judges it against this",
            "configuration and the passkeys in the database. Or, with --code, asks the running service for one that it",
            "refused within the last day; ADMIN_TOKEN is sent along if it is set.",
            "",
            "A step that refuses is shown with the cause and what to do; those behind it are judged too, as far as they",
            "can be. Spends no challenge and changes nothing. Ends with 1 if a step refuses."
        })
final class ExplainCommand extends Output {
    @Parameters(arity = "0..1", paramLabel = "FILE", description = "the response; - for standard input")
    private @Nullable String file;

    @Option(names = "--options", paramLabel = "FILE", description = "the options that it answers, or their challenge")
    private @Nullable Path options;

    @Option(names = "--user", paramLabel = "USER", description = "the user id that the request named")
    private @Nullable String user;

    @Option(
            names = "--code",
            paramLabel = "CODE",
            description = "the support code of a refused ceremony, or its correlation id or trace id")
    private @Nullable String code;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "where the console of the instance that refused it is; by default on this machine")
    private @Nullable URI url;

    @Override
    public Integer call() throws Exception {
        if ((file == null) == (code == null)) {
            throw new ParameterException(command(), "Either a FILE or a --code is needed");
        }
        if (file != null && url != null || code != null && (options != null || user != null)) {
            throw new ParameterException(command(), "--url goes with --code, --options and --user go with a FILE");
        }
        Config config = Config.read(cli().environment);
        List<Finding> findings = code == null ? captured(config) : refused(config, code);
        findings.forEach(this::tell);
        long refused = findings.stream()
                .filter(finding -> finding.state() == Finding.State.REFUSED)
                .count();
        out().println(
                        refused == 0
                                ? "No step refuses it."
                                : refused == 1 ? "One step refuses it." : refused + " steps refuse it.");
        return refused == 0 ? 0 : Cli.FAILED;
    }

    private List<Finding> captured(Config config) throws IOException, MalformedException {
        if (user != null) {
            UserIds.requireExisting(user);
        }
        Capture capture = Capture.of(response(), options == null ? null : Files.readString(options), user);
        try (Parts parts = new Parts()) {
            CredentialStore passkeys = credentials(new StorageModule(parts, config).sql());
            return new Explainer(config.relyingParty(), passkeys, Clock.systemUTC())
                    .explain(capture)
                    .findings();
        }
    }

    private List<Finding> refused(Config config, String which) throws IOException {
        RunningInstance.Explained explained = RunningInstance.of(config, url).explain(which);
        out().println(explained.summary());
        return explained.findings();
    }

    private String response() throws IOException {
        return "-".equals(file)
                ? new String(System.in.readAllBytes(), UTF_8)
                : Files.readString(Path.of(String.valueOf(file)));
    }

    private void tell(Finding finding) {
        String step = finding.step().label();
        switch (finding.state()) {
            case PASSED ->
                out().println("  green  " + step + (finding.found().isEmpty() ? "" : ": " + finding.found()));
            case NOT_CHECKED -> out().println("  -      " + step + ": not checked, " + finding.detail());
            case NOT_REACHED -> out().println("  -      " + step + ": not reached");
            case REFUSED -> {
                Cause cause = Cause.of(finding.step());
                out().println("  RED    " + finding.step().code() + ": " + cause.what());
                line("expected: ", finding.expected());
                line("found:    ", finding.found());
                line("", finding.detail());
                line("", cause.advice());
                line("look at: ", String.join(", ", cause.settings()));
            }
        }
    }

    private void line(String name, String text) {
        if (!text.isEmpty()) {
            out().println("         " + name + text);
        }
    }
}
