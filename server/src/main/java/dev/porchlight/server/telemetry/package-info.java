// SPDX-License-Identifier: Apache-2.0
/**
 * What is told of the service while it runs: ceremonies and SQL as metrics, spans and log lines, its readiness, and what libraries
 * log, by the SLF4J provider, which is the only place that knows SLF4J. {@code ProcessTelemetry} opens and closes it.
 */
package dev.porchlight.server.telemetry;
