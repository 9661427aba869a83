// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditGuard;
import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.storage.Units;
import dev.porchlight.server.wiring.Parts;
import dev.porchlight.server.wiring.StorageModule;
import java.io.IOException;
import java.util.function.Function;

/** A command that opens the service's storage, whether the service runs or not. */
abstract class StorageCommand extends BaseCommand {
    /** The correlation id of audit rows that no request caused. */
    static final String COMMAND_LINE = "command-line";

    @Override
    public final Integer call() throws Exception {
        Config config = Config.read(cli().environment);
        try (Parts parts = new Parts()) {
            return run(config, new StorageModule(parts, config));
        }
    }

    /** Does the work and returns the exit status. */
    abstract int run(Config config, StorageModule storage) throws Exception;

    /** Writes units of work with their audit rows, then new anchors, unless the log contradicts the old ones. */
    static <R> R write(StorageModule storage, Function<Units, R> work) {
        R result;
        try (Units units = storage.units()) {
            result = work.apply(units);
        }
        AuditGuard guard = storage.auditGuard();
        if (guard.faults().isEmpty()) {
            var unused = guard.anchor();
        }
        return result;
    }

    /** Writes the audit row of a command. */
    static void audit(StorageModule storage, AuditAction action, String userId) throws IOException {
        if (!write(
                storage,
                units -> units.audit()
                        .append(AuditEvent.byOperator(action, userId, Operator.commandLine(), COMMAND_LINE)))) {
            throw new IOException("the command succeeded, but its audit row could not be written");
        }
    }
}
