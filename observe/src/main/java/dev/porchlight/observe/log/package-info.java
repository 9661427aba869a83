// SPDX-License-Identifier: Apache-2.0
/**
 * Structured logs. A {@link dev.porchlight.observe.log.Logger} takes a message and {@link dev.porchlight.observe.log.Fields},
 * makes a bounded line of them in one of the {@link dev.porchlight.observe.log.LogFormat}s and hands it to a
 * {@link dev.porchlight.observe.log.LogWriter}, which writes lines whole, in order, and counts what it loses.
 * {@link dev.porchlight.observe.log.JdkLoggerFinder} brings the JDK's own lines in.
 */
package dev.porchlight.observe.log;
