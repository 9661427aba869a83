// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.config.Settings;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Prints errors of commands, and returns the status to exit with.
 *
 * @param json whether the output of the command is JSON, so that errors are, too
 */
record CommandErrors(PrintWriter err, boolean json) {
    /** Prints a usage error and, for people, the usage of the command. */
    int report(ParameterException misuse) {
        if (json) {
            return print(String.valueOf(misuse.getMessage()), Cli.INVALID_USAGE);
        }
        CommandLine command = misuse.getCommandLine();
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

    int report(Exception failure) {
        if (failure instanceof InvalidConfigException invalid) {
            if (json) {
                err.println(JsonWriter.object(error -> error.text("error", "the configuration is invalid")
                        .texts(
                                "faults",
                                invalid.faults().stream().map(Object::toString).toList())
                        .texts("warnings", invalid.warnings())));
                return Cli.INVALID_USAGE;
            }
            err.println("Error: the configuration is invalid:");
            invalid.faults().forEach(fault -> err.println("  " + fault));
            invalid.warnings().forEach(warning -> err.println("Warning: " + warning));
            return Cli.INVALID_USAGE;
        }
        return print(reason(failure), Cli.FAILED);
    }

    private int print(String sentence, int status) {
        err.println(json ? JsonWriter.object(error -> error.text("error", sentence)) : "Error: " + sentence);
        return status;
    }

    /** The message of a failure and its cause, in one line. */
    private static String reason(Throwable failure) {
        if (failure instanceof FileSystemException file) {
            return reason(file);
        }
        String message = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        Throwable cause = failure.getCause();
        return cause == null || cause.getMessage() == null ? message : message + ": " + cause.getMessage();
    }

    /** The JDK's message is often only the path. */
    private static String reason(FileSystemException failure) {
        String file = failure.getFile();
        if (failure instanceof NoSuchFileException) {
            return "the file " + file + " does not exist: check its path";
        }
        if (failure instanceof AccessDeniedException) {
            return "no permission for " + file + ": check its owner and mode";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return file + " exists already: choose another path";
        }
        return failure.getReason() == null
                ? file + ": " + failure.getClass().getSimpleName()
                : String.valueOf(failure.getMessage());
    }
}
