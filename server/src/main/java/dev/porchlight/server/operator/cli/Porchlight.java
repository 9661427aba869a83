// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import picocli.CommandLine.Command;

/** The command that all others belong to. By itself it is bad usage, and says what there is. */
@Command(
        name = "porchlight",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        header = "Passkey authentication and observability.",
        description = {
            "",
            "Configured by environment variables: `porchlight config` explains each and shows its value.",
            ""
        },
        footer = {"", "Exit status: 0 fine, 1 failed, 2 bad usage or configuration."})
final class Porchlight extends Group {}
