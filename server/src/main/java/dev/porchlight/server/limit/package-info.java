// SPDX-License-Identifier: Apache-2.0
/**
 * Limits: {@link dev.porchlight.server.limit.RateLimit} for requests, {@link dev.porchlight.server.limit.RequestDeadline} for
 * waits, and {@link dev.porchlight.server.limit.OncePerSecond} for repeated log lines.
 * {@link dev.porchlight.server.limit.ClientAddresses} determines the client address of a request.
 */
package dev.porchlight.server.limit;
