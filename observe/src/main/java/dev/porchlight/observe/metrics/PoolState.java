// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/**
 * The state of a database pool at one moment.
 *
 * @param idle connections that are open and free
 * @param active connections that are in use
 * @param waiting callers that wait for a connection
 */
public record PoolState(int idle, int active, int waiting) {}
