// SPDX-License-Identifier: Apache-2.0
/**
 * The routes of the operators' console: the history of ceremonies, and samples that a {@link
 * dev.porchlight.server.operator.console.StateSampler} reads from the metrics every few seconds.
 */
package dev.porchlight.server.operator.console;
