// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import picocli.CommandLine.Command;

/** The audit log. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        header = "Verify the audit log, or accept it after a restore.")
final class Audit extends Group {}
