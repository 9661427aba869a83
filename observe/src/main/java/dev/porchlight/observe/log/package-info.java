// SPDX-License-Identifier: Apache-2.0
/**
 * Structured logs. A {@link dev.porchlight.observe.log.Logger} encodes a message and {@link
 * dev.porchlight.observe.log.Fields} as a bounded line in a {@link dev.porchlight.observe.log.LogFormat} and passes it
 * to a {@link dev.porchlight.observe.log.LogWriter}, which writes whole lines in order and counts lost ones. {@link
 * dev.porchlight.observe.log.JdkLoggerFinder} forwards the JDK's own log lines.
 */
package dev.porchlight.observe.log;
