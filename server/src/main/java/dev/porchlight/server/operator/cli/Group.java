// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** A command that does nothing but hold others, and says so when none of them is named. */
@Command(synopsisSubcommandLabel = "COMMAND")
abstract class Group extends Output {
    @Override
    public Integer call() {
        throw new ParameterException(command(), "Which command? One of these:");
    }
}
