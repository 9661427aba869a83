// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** A group of commands. By itself it prints its usage. */
@Command(synopsisSubcommandLabel = "COMMAND")
abstract class CommandGroup extends BaseCommand {
    @Override
    public Integer call() {
        throw new ParameterException(command(), "A command is missing");
    }
}
