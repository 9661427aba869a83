// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import picocli.CommandLine.Command;

/** A group of commands, each a method. By itself it prints its usage. */
@Command(synopsisSubcommandLabel = "COMMAND")
abstract class CommandGroup extends BaseCommand {
    @Override
    final int run() {
        throw misuse("A command is missing");
    }
}
