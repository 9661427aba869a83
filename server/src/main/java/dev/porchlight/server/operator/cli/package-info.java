// SPDX-License-Identifier: Apache-2.0
/**
 * The command line. No other package uses picocli. {@link dev.porchlight.server.operator.cli.Cli} runs one command and returns its
 * exit status: 0 success, 1 failure, 2 invalid usage or configuration. Each command is a class; commands that open the database
 * extend {@code StorageCommand}.
 */
package dev.porchlight.server.operator.cli;
