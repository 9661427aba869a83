// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.config.Config;
import dev.porchlight.server.storage.UserDirectory;
import dev.porchlight.server.wiring.StorageModule;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Lists users. */
@Command(
        name = "list",
        header = "List users: id, number of passkeys, last sign-in, and whether they are locked.",
        description = {"", "Ordered by name. --after continues a list."})
final class UserListCommand extends StorageCommand {
    private static final int MAX_LIMIT = 10_000;

    @Parameters(arity = "0..1", paramLabel = "QUERY", description = "a part of the user id, in any case")
    private @Nullable String query;

    @Option(names = "--after", paramLabel = "USER", description = "the last user of the previous list")
    private @Nullable String after;

    @Option(
            names = "--limit",
            paramLabel = "COUNT",
            defaultValue = "50",
            description = "the maximum number of users, up to 10000; default: ${DEFAULT-VALUE}")
    private int limit;

    @Override
    int run(Config config, StorageModule storage) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new ParameterException(command(), "--limit must be 1 to " + MAX_LIMIT);
        }
        List<UserDirectory.Entry> found = UserDirectory.list(storage.sql(), query, after, limit + 1);
        found.stream().limit(limit).forEach(user -> out().println(line(user)));
        if (found.size() > limit) {
            err().println("There are more users. Continue with --after \""
                    + found.get(limit - 1).userId() + '"');
        }
        return 0;
    }

    static String line(UserDirectory.Entry user) {
        return user.userId()
                + (user.displayName() == null ? "" : "  (" + user.displayName() + ')')
                + "  passkeys: " + user.passkeys()
                + (user.lastUsedAt() == null ? "" : "  last sign-in: " + Instant.ofEpochMilli(user.lastUsedAt()))
                + (user.locked() ? "  locked" : "");
    }
}
