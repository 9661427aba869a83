// SPDX-License-Identifier: Apache-2.0
/**
 * Benchmarks beside the peers: {@link dev.porchlight.bench.Main} runs them by name, interleaved, and writes the report. Those of
 * one operation are {@link dev.porchlight.bench.Comparison}s; their JMH classes are in {@code observe} and {@code passkey}.
 * Those of whole applications are in {@code service}. All hand in what {@code report} defines.
 */
@NullMarked
package dev.porchlight.bench;

import org.jspecify.annotations.NullMarked;
