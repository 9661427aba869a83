// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.time.Duration;

/**
 * How spans are gathered into batches.
 *
 * @param queueSize how many spans may wait
 * @param batchSize how many spans a request may carry, at most the queue's size
 * @param delay how long a span waits for others before it is sent
 * @param exportTimeout how long one request may take in all; zero is no limit
 */
record Batching(int queueSize, int batchSize, Duration delay, Duration exportTimeout) {}
