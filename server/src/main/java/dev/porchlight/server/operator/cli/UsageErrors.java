// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.config.Settings;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports invalid arguments. */
final class UsageErrors {
    private UsageErrors() {}

    /** Prints the error and the usage of the command, and returns the exit status. */
    static int report(ParameterException misuse) {
        CommandLine command = misuse.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("Error: " + misuse.getMessage());
        if (misuse instanceof UnmatchedArgumentException unmatched) {
            setting(unmatched.getUnmatched())
                    .ifPresent(setting -> err.println("Settings are environment variables, not options: " + setting
                            + ' ' + command.getCommandSpec().qualifiedName()));
        }
        UnmatchedArgumentException.printSuggestions(misuse, err);
        command.usage(err);
        return Cli.INVALID_USAGE;
    }

    /** {@code PORT=9000} for {@code --port 9000} or {@code --port=9000}. */
    private static Optional<String> setting(List<String> unmatched) {
        for (int i = 0; i < unmatched.size(); i++) {
            String[] parts = unmatched.get(i).split("=", 2);
            String name = parts[0].replaceFirst("^--?", "").replace('-', '_').toUpperCase(Locale.ROOT);
            if (parts[0].startsWith("-")
                    && Settings.all().stream().anyMatch(one -> one.name().equals(name))) {
                boolean separate = parts.length == 1 && i + 1 < unmatched.size();
                return Optional.of(name + '=' + (separate ? unmatched.get(i + 1) : parts.length == 2 ? parts[1] : "…"));
            }
        }
        return Optional.empty();
    }
}
