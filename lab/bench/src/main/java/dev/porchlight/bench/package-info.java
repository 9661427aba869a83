// SPDX-License-Identifier: Apache-2.0
/**
 * Benchmarks compared with peers: {@link dev.porchlight.bench.Main} runs them by name, interleaved, and writes the report.
 * A {@link dev.porchlight.bench.Comparison} measures one operation; the JMH classes are in {@code observe} and {@code passkey}.
 * Benchmarks of whole applications are in {@code service}. All write a section of {@code report}.
 */
@NullMarked
package dev.porchlight.bench;

import org.jspecify.annotations.NullMarked;
