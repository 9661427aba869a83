// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.cli;

import picocli.CommandLine.Command;

/** The audit log. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        header = "Verify the audit log.")
final class Audit extends Group {}
