// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.config.InvalidConfigException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the service. Not thread-safe. */
public final class Cli {
    static final int FAILED = 1;
    static final int INVALID_USAGE = 2;

    /** Runs the service until it is stopped. */
    @FunctionalInterface
    public interface Service {
        void run(Map<String, String> environment) throws Exception;
    }

    private static final List<Class<?>> COMMANDS = List.of(
            ServeCommand.class,
            DoctorCommand.class,
            ConfigCommand.class,
            KeysCommand.class,
            EnrollCommand.class,
            CredentialsCommand.class,
            UsersCommand.class,
            ClientsCommand.class,
            GroupsCommand.class,
            PseudonymCommand.class,
            ExplainCommand.class,
            AuditCommand.class,
            BackupCommand.class,
            RestoreCommand.class,
            ExportCommand.class,
            ImportCommand.class,
            CapacityCommand.class,
            VersionCommand.class);

    /** The root command. Without a subcommand it prints the usage. */
    @Command(
            name = "porchlight",
            versionProvider = VersionCommand.class,
            header = "Passkey authentication and observability.",
            description = {
                "",
                "Configured by environment variables: `porchlight config` explains each and shows its value.",
                ""
            },
            footer = {"", "Exit status: 0 success, 1 failure, 2 invalid usage or configuration."})
    final class Root extends CommandGroup {
        @Override
        Cli cli() {
            return Cli.this;
        }
    }

    final Map<String, String> environment;
    final Service service;
    private final PrintWriter out;
    private final PrintWriter err;

    /**
     * A command line that reads this environment.
     *
     * @param out receives results
     * @param err receives errors
     */
    public Cli(Map<String, String> environment, Service service, PrintWriter out, PrintWriter err) {
        this.environment = environment;
        this.service = service;
        this.out = out;
        this.err = err;
    }

    /** Runs the command that the arguments name, and returns the status to exit with. */
    public int run(String... arguments) {
        boolean nothingToParse = arguments.length == 1 && arguments[0].equals("serve");
        return nothingToParse ? serve() : parser(arguments).execute(arguments);
    }

    /** Reads only the named command, if there is one. */
    private CommandLine parser(String... arguments) {
        List<Class<?>> named = COMMANDS.stream()
                .filter(command -> arguments.length > 0 && name(command).equals(arguments[0]))
                .toList();
        return parser(named.isEmpty() ? COMMANDS : named);
    }

    private static String name(Class<?> command) {
        return Objects.requireNonNull(command.getAnnotation(Command.class)).name();
    }

    /** Skips the parser, which takes a tenth of the start-up time. */
    private int serve() {
        try {
            service.run(environment);
            return 0;
        } catch (Exception e) {
            return report(e, err);
        }
    }

    CommandLine commands() {
        return parser(COMMANDS);
    }

    private CommandLine parser(List<Class<?>> commands) {
        CommandLine root = new CommandLine(new Root());
        commands.forEach(root::addSubcommand);
        return root.setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(out)
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setParameterExceptionHandler((misuse, arguments) -> UsageErrors.report(misuse))
                .setExecutionExceptionHandler((failure, command, parsed) -> report(failure, command.getErr()));
    }

    private static int report(Exception failure, PrintWriter err) {
        if (failure instanceof InvalidConfigException invalid) {
            err.println("Error: the configuration is invalid:");
            invalid.faults().forEach(fault -> err.println("  " + fault));
            return INVALID_USAGE;
        }
        err.println("Error: " + reason(failure));
        return FAILED;
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
