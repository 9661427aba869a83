// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.SqlCredentialStore;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that prints something. */
@Command(mixinStandardHelpOptions = true)
abstract class BaseCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    final CommandLine command() {
        return Objects.requireNonNull(spec).commandLine();
    }

    /** The command line of this command. */
    Cli cli() {
        return ((Cli.Root) command().getCommandSpec().root().userObject()).cli();
    }

    final PrintWriter out() {
        return command().getOut();
    }

    final PrintWriter err() {
        return command().getErr();
    }

    /** The stored users and passkeys. Unreadable rows are reported. */
    final CredentialStore credentials(Sql sql) {
        return new SqlCredentialStore(
                sql,
                row -> err().println("Warning: the passkey " + row.credentialId() + " of " + row.userId()
                        + " cannot be read (" + row.fault() + "): remove or correct its row"));
    }
}
