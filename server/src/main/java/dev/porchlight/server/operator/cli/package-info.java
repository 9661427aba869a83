// SPDX-License-Identifier: Apache-2.0
/**
 * The command line, and the only place that knows picocli. {@link dev.porchlight.server.operator.cli.Cli} runs one command and says how
 * it ended: 0 fine, 1 failed, 2 bad usage or configuration. Each command is a class; those that open the database
 * extend {@code OnStore}.
 */
package dev.porchlight.server.operator.cli;
