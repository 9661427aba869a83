// SPDX-License-Identifier: Apache-2.0
/**
 * Benchmarks beside the peers: {@link dev.porchlight.bench.Main} runs the {@link dev.porchlight.bench.Comparison}s by name,
 * interleaved, and writes the report. Sub-packages hold the JMH classes, one per operation, named after what they measure.
 */
@NullMarked
package dev.porchlight.bench;

import org.jspecify.annotations.NullMarked;
