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

/** The command line of the service. For one thread. */
public final class Cli {
    static final int FAILED = 1;
    static final int BAD_USE = 2;

    /** Runs the service until it is told to stop. */
    @FunctionalInterface
    public interface Service {
        void run(Map<String, String> environment) throws Exception;
    }

    private final Map<String, String> environment;
    private final Service service;
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
            return new Serve(environment, service).call();
        } catch (Exception e) {
            return tell(e, err);
        }
    }

    private CommandLine commands() {
        return new CommandLine(new Porchlight())
                .addSubcommand(new Serve(environment, service))
                .addSubcommand(new DoctorCommand(environment))
                .addSubcommand(new ShowConfig(environment))
                .addSubcommand(group(new Keys(), new KeysList(environment), new KeysRotate(environment)))
                .addSubcommand(new Enroll(environment))
                .addSubcommand(
                        group(new Credentials(), new CredentialsList(environment), new CredentialsRemove(environment)))
                .addSubcommand(group(
                        new Users(),
                        new Users.Lock(environment),
                        new Users.Unlock(environment),
                        new Users.SignOut(environment)))
                .addSubcommand(new PseudonymCommand(environment))
                .addSubcommand(new ExplainCommand(environment))
                .addSubcommand(group(new Audit(), new AuditVerify(environment), new AuditAccept(environment)))
                .addSubcommand(new BackupCommand(environment))
                .addSubcommand(new RestoreCommand(environment))
                .addSubcommand(new ExportCommand(environment))
                .addSubcommand(new ImportCommand(environment))
                .addSubcommand(new CapacityCommand())
                .addSubcommand(new Version())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(out)
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setParameterExceptionHandler((misuse, arguments) -> Misuse.tell(misuse))
                .setExecutionExceptionHandler((failure, command, parsed) -> tell(failure, command.getErr()));
    }

    private static CommandLine group(Object group, Object... members) {
        CommandLine command = new CommandLine(group);
        for (Object member : members) {
            command.addSubcommand(member);
        }
        return command;
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
