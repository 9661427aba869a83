// SPDX-License-Identifier: Apache-2.0
/**
 * What benchmarks hand in: a {@link dev.porchlight.bench.report.Benchmark} measures and writes a
 * {@link dev.porchlight.bench.report.Section} of the report, out of the figures of a
 * {@link dev.porchlight.bench.report.Series} of rounds.
 */
@NullMarked
package dev.porchlight.bench.report;

import org.jspecify.annotations.NullMarked;
