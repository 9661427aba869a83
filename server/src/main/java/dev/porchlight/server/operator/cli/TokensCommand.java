// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.auth.ApiTokens;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.auth.OperatorAdministration.Issued;
import dev.porchlight.server.auth.Role;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The tokens of programs that use the admin API. */
@Command(name = "tokens", header = "Issue named tokens for programs that use the admin API.")
final class TokensCommand extends CommandGroup {
    @Command(name = "list", header = "List the tokens, without their secrets.")
    void list(@Mixin Format format) throws Exception {
        format.print(Listing.of(
                "tokens",
                storage().apiTokens().all(),
                ApiTokens.Entry::write,
                "There are no tokens. Issue one with: porchlight tokens add NAME --role support",
                "name",
                "role",
                "createdAt",
                "createdBy=by",
                "expiresAt",
                "lastUsedAt=last use"));
    }

    @Command(
            name = "add",
            header = "Issue a token and print it.",
            description = {"", "The token is shown once and stored as a keyed hash. Ends with 1 if the name is taken."})
    void add(
            @Parameters(paramLabel = "NAME", description = "names the token in the audit log") String name,
            @Option(
                            names = "--role",
                            paramLabel = "ROLE",
                            required = true,
                            description = "owner, operator, support or auditor")
                    Role role,
            @Option(
                            names = "--valid",
                            paramLabel = "LIFETIME",
                            description =
                                    "how long the token is valid, for example 24h or 90d; without it, until it is revoked")
                    @Nullable
                    String valid,
            @Mixin Format format)
            throws Exception {
        if (!ApiTokens.NAME.matcher(name).matches()) {
            throw misuse("a token's name has 1 to 64 letters, digits and the characters . _ -");
        }
        Duration lifetime = valid == null ? null : EnrollCommand.Lifetime.parse(valid);
        if (valid != null && lifetime == null) {
            throw misuse("--valid must be a number with the unit s, m, h or d, for example 90d");
        }
        Long expiresAt = lifetime == null ? null : Instant.now().plus(lifetime).toEpochMilli();
        Issued issued =
                administer(directory -> directory.operators().issue(name, role, expiresAt, Operator.commandLine()));
        if (issued == null) {
            throw new CommandException("a token named " + name + " exists already, or there are 100 tokens.");
        }
        format.print(Listing.of(json -> {
                    json.text("token", issued.secret());
                    issued.token().write(json);
                })
                .note(issued.secret()));
        if (!format.isJson()) {
            err().println("The token is not shown again.");
        }
    }

    @Command(
            name = "revoke",
            header = "Revoke a token.",
            description = {"", "It ends at once. Ends with 1 if there is no such token."})
    void revoke(@Parameters(paramLabel = "NAME", description = "the name of the token") String name) throws Exception {
        if (!administer(directory -> directory.operators().revoke(name, Operator.commandLine()))) {
            throw new CommandException("there is no token " + name + ". List them with: porchlight tokens list");
        }
        out().println("The token " + name + " is revoked.");
    }
}
