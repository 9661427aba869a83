// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditGuard;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.openid.OpenIdModule;
import dev.porchlight.server.storage.Actor.Target;
import dev.porchlight.server.storage.NewFile;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.wiring.DirectoryModule;
import dev.porchlight.server.wiring.MetadataModule;
import dev.porchlight.server.wiring.StorageModule;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command, or a group of commands. */
abstract class BaseCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public final Integer call() throws Exception {
        return run();
    }

    /** Does the work and returns the exit status. */
    abstract int run() throws Exception;

    /** The command line of this command. */
    Cli cli() {
        return ((Cli.Root) Objects.requireNonNull(spec).root().userObject()).cli();
    }

    final PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }

    final PrintWriter err() {
        return Objects.requireNonNull(spec).commandLine().getErr();
    }

    final Config config() throws IOException {
        return Config.read(cli().environment);
    }

    final StorageModule storage() throws IOException {
        return cli().storage();
    }

    /** The stored users and passkeys. Unreadable rows are reported. */
    final CredentialStore credentials() throws IOException {
        return new SqlCredentialStore(
                storage().sql(),
                row -> err().println("Warning: the passkey " + row.credentialId() + " of " + row.userId()
                        + " cannot be read (" + row.fault() + "): remove or correct its row"));
    }

    /** The authenticators that the metadata knows, without a request to a URL. */
    final Authenticators authenticators() throws IOException {
        return MetadataModule.restored(config(), this::warn);
    }

    /** Writes lines and returns how many. */
    @FunctionalInterface
    interface Lines {
        long write(Writer lines) throws IOException;
    }

    /** Writes lines to a new file, or to standard output for {@code -}, and returns how many. */
    final long export(String file, Lines content) throws IOException {
        if (file.equals("-")) {
            long written = content.write(out());
            if (out().checkError()) {
                throw new IOException("the export could not be written");
            }
            return written;
        }
        try (NewFile target = NewFile.named(Path.of(file));
                Writer lines = new BufferedWriter(new OutputStreamWriter(target.out(), UTF_8))) {
            long written = content.write(lines);
            lines.flush();
            target.keep();
            return written;
        }
    }

    /** A number with its noun. */
    static String counted(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    /** The error of invalid arguments, which is printed with the usage. */
    final ParameterException misuse(String message) {
        CommandLine.ParseResult parsed =
                Objects.requireNonNull(spec).root().commandLine().getParseResult();
        while (parsed.hasSubcommand()) {
            parsed = parsed.subcommand();
        }
        return new ParameterException(parsed.commandSpec().commandLine(), message);
    }

    /** Prints a warning, which is not part of the result. */
    final void warn(String sentence) {
        err().println("Warning: " + sentence);
    }

    /** The failure of a command, which is printed as its error. */
    static final class CommandException extends Exception {
        private static final long serialVersionUID = 1L;

        CommandException(String message) {
            super(message);
        }
    }

    /** Writes units of work with their audit rows, then new anchors, unless the log contradicts the old ones. */
    final <R extends @Nullable Object> R write(Function<Units, R> work) throws IOException {
        R result;
        try (Units units = storage().units()) {
            result = work.apply(units);
        }
        AuditGuard guard = storage().auditGuard();
        if (guard.faults().isEmpty()) {
            var unused = guard.anchor();
        }
        return result;
    }

    /** Changes users or operators, with audit rows. */
    final <R extends @Nullable Object> R administer(Function<DirectoryModule, R> work) throws IOException {
        StorageModule storage = storage();
        return write(units ->
                work.apply(new DirectoryModule(storage, units, OpenIdModule.departure(storage), unused -> {})));
    }

    /** Writes the audit row of a command. */
    final void audit(AuditAction action, String userId) throws IOException {
        try {
            var unused = write(units -> units.commit(
                    "append an audit row",
                    Operator.commandLine(),
                    Target.NONE,
                    connection -> true,
                    done -> AuditEvent.of(action, userId)));
        } catch (StorageException e) {
            throw new IOException("the command succeeded, but its audit row could not be written", e);
        }
    }
}
