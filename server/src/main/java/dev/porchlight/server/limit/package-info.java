// SPDX-License-Identifier: Apache-2.0
/** How often somebody may ask: {@link dev.porchlight.server.limit.RateLimit} by key, and who a client's address is. */
package dev.porchlight.server.limit;
