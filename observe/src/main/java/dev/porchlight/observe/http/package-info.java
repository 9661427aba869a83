// SPDX-License-Identifier: Apache-2.0
/**
 * What an application mounts: the telemetry of HTTP requests for any server, with an adapter for the JDK's, the endpoints for
 * scrapers and probes, and a client that continues traces.
 */
package dev.porchlight.observe.http;
