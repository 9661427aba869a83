// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import picocli.CommandLine.Command;

/** The passkeys of a user. */
@Command(
        name = "credentials",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        header = "List or remove the passkeys of a user.")
final class Credentials extends Group {}
