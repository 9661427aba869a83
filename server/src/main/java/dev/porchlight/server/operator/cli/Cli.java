// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.wiring.Parts;
import dev.porchlight.server.wiring.StorageModule;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command line of the service, for one command. Not thread-safe. */
public final class Cli {
    static final int FAILED = 1;
    static final int INVALID_USAGE = 2;

    /** Runs the service until it is stopped. */
    @FunctionalInterface
    public interface Service {
        void run(Map<String, String> environment) throws Exception;
    }

    private static final List<Class<?>> COMMANDS = List.of(
            ServiceCommands.ServeCommand.class,
            ServiceCommands.DoctorCommand.class,
            ServiceCommands.ConfigCommand.class,
            KeysCommand.class,
            EnrollCommand.class,
            InviteCommand.class,
            PasskeysCommand.class,
            UsersCommand.class,
            ClientsCommand.class,
            GroupsCommand.class,
            WebhooksCommand.class,
            OperatorsCommand.class,
            TokensCommand.class,
            ServiceCommands.PseudonymCommand.class,
            ExplainCommand.class,
            AuditCommand.class,
            BackupCommands.BackupCommand.class,
            BackupCommands.RestoreCommand.class,
            TransferCommands.ExportCommand.class,
            TransferCommands.ImportCommand.class,
            CapacityCommand.class,
            ServiceCommands.VersionCommand.class);

    /** The root command. Without a subcommand it prints the usage. All commands inherit its options. */
    @Command(
            name = "porchlight",
            versionProvider = ServiceCommands.VersionCommand.class,
            header = "Passkey authentication and observability.",
            description = {
                "",
                "Configured by environment variables: `porchlight config` explains each and shows its value.",
                ""
            },
            footer = {"", "Exit status: 0 success, 1 failure, 2 invalid usage or configuration."})
    final class Root extends CommandGroup {
        @Option(
                names = {"-h", "--help"},
                usageHelp = true,
                scope = ScopeType.INHERIT,
                description = "Show this help message and exit.")
        boolean help;

        @Option(
                names = {"-V", "--version"},
                versionHelp = true,
                scope = ScopeType.INHERIT,
                description = "Print version information and exit.")
        boolean version;

        @Override
        Cli cli() {
            return Cli.this;
        }
    }

    /** Who runs a command waits longer for a busy database than a page may. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    final Map<String, String> environment;
    final Service service;
    private final PrintWriter out;
    private final PrintWriter err;
    private final Parts parts = new Parts();
    private @Nullable StorageModule storage;

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
        var errors = new CommandErrors(err, List.of(arguments).contains(Format.JSON));
        try (parts) {
            if (arguments.length == 1 && arguments[0].equals("serve")) {
                service.run(environment); // without the parser, which takes a tenth of the start-up time
                return 0;
            }
            List<Class<?>> named = COMMANDS.stream()
                    .filter(command -> arguments.length > 0 && name(command).equals(arguments[0]))
                    .toList();
            return parser(named.isEmpty() ? COMMANDS : named, errors).execute(arguments);
        } catch (Exception e) {
            return errors.report(e);
        }
    }

    private static String name(Class<?> command) {
        return Objects.requireNonNull(command.getAnnotation(Command.class)).name();
    }

    CommandLine commands() {
        return parser(COMMANDS, new CommandErrors(err, false));
    }

    private CommandLine parser(List<Class<?>> commands, CommandErrors errors) {
        CommandLine root = new CommandLine(new Root());
        commands.forEach(root::addSubcommand);
        return root.setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(out)
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setParameterExceptionHandler((misuse, arguments) -> errors.report(misuse))
                .setExecutionExceptionHandler((failure, command, parsed) -> errors.report(failure));
    }

    /** Opens the service's storage, whether the service runs or not. It is closed after the command. */
    StorageModule storage() throws IOException {
        if (storage == null) {
            Map<String, String> patient = new HashMap<>(environment);
            patient.putIfAbsent(Settings.REQUEST_TIMEOUT_MS.name(), Long.toString(PATIENCE.toMillis()));
            storage = new StorageModule(parts, Config.read(patient));
        }
        return storage;
    }
}
