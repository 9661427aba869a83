// SPDX-License-Identifier: Apache-2.0
/**
 * The logging facade that libraries use, led to our own logger: an SLF4J provider, and the only place that knows SLF4J.
 * {@link dev.porchlight.server.telemetry.LibraryLogs} says which logger the lines go to.
 */
package dev.porchlight.server.telemetry;
