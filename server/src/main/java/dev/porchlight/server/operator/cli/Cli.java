// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.config.Fault;
import dev.porchlight.server.config.InvalidConfigException;
import dev.porchlight.server.config.UnusableSettingException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the service. For one thread. */
public final class Cli {
    static final int FAILED = 1;
    static final int BAD_USE = 2;

    /** Runs the service until it is told to stop. */
    @FunctionalInterface
    public interface Service {
        void run(Map<String, String> environment) throws Exception;
    }

    /** The command that all others belong to. By itself it is bad usage, and says what there is. */
    @Command(
            name = "porchlight",
            versionProvider = Version.class,
            header = "Passkey authentication and observability.",
            description = {
                "",
                "Configured by environment variables: `porchlight config` explains each and shows its value.",
                ""
            },
            footer = {"", "Exit status: 0 fine, 1 failed, 2 bad usage or configuration."},
            subcommands = {
                Serve.class,
                DoctorCommand.class,
                ShowConfig.class,
                Keys.class,
                Enroll.class,
                Credentials.class,
                Users.class,
                PseudonymCommand.class,
                ExplainCommand.class,
                Audit.class,
                BackupCommand.class,
                RestoreCommand.class,
                ExportCommand.class,
                ImportCommand.class,
                CapacityCommand.class,
                Version.class
            })
    final class Root extends Group {
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
     * @param out for what was asked for
     * @param err for what went wrong
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
        return nothingToParse ? serve() : commands().execute(arguments);
    }

    /** Without the parser, which takes a tenth of the time until the service is there. */
    private int serve() {
        try {
            service.run(environment);
            return 0;
        } catch (Exception e) {
            return tell(e, err);
        }
    }

    private CommandLine commands() {
        return new CommandLine(new Root())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(out)
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setParameterExceptionHandler((misuse, arguments) -> Misuse.tell(misuse))
                .setExecutionExceptionHandler((failure, command, parsed) -> tell(failure, command.getErr()));
    }

    private static int tell(Exception failure, PrintWriter err) {
        if (failure instanceof InvalidConfigException invalid) {
            return tell(invalid.faults(), err);
        }
        if (failure instanceof UnusableSettingException unusable) {
            return tell(List.of(unusable.fault()), err);
        }
        err.println("Error: " + reason(failure));
        return FAILED;
    }

    private static int tell(List<Fault> faults, PrintWriter err) {
        err.println("Error: the configuration is wrong:");
        faults.forEach(fault -> err.println("  " + fault));
        return BAD_USE;
    }

    /** What went wrong and what was behind it, in one line. */
    private static String reason(Throwable failure) {
        if (failure instanceof FileSystemException file) {
            return reason(file);
        }
        String message = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        Throwable cause = failure.getCause();
        return cause == null || cause.getMessage() == null ? message : message + ": " + cause.getMessage();
    }

    /** The JDK's own message is often the path alone. */
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
