// SPDX-License-Identifier: Apache-2.0
/**
 * Bounds. {@link dev.porchlight.server.limit.RateLimit} says how much a key may spend in a minute, and
 * {@link dev.porchlight.server.limit.ClientAddresses} who a client's address is;
 * {@link dev.porchlight.server.limit.RequestDeadline} how long a request may wait for what we depend on, and
 * {@link dev.porchlight.server.limit.OncePerSecond} how often a log may say the same.
 */
package dev.porchlight.server.limit;
