// SPDX-License-Identifier: Apache-2.0
/**
 * Telemetry of the running service: metrics, spans and log lines of ceremonies and SQL, health checks, and the log lines of
 * libraries through the SLF4J provider, the only class that uses SLF4J. {@code ProcessTelemetry} opens and closes it.
 */
package dev.porchlight.server.telemetry;
