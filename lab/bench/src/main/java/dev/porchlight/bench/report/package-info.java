// SPDX-License-Identifier: Apache-2.0
/**
 * The output of benchmarks: a {@link dev.porchlight.bench.report.Benchmark} writes a
 * {@link dev.porchlight.bench.report.Section} of the report from the
 * {@link dev.porchlight.bench.report.Measurements} of its rounds.
 */
@NullMarked
package dev.porchlight.bench.report;

import org.jspecify.annotations.NullMarked;
