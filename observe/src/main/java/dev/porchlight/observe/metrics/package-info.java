// SPDX-License-Identifier: Apache-2.0
/**
 * Metrics. {@code MetricRegistry} makes {@code Counter}, {@code Gauge} and {@code Histogram}; each holds its
 * {@code Series}, one per label set, in a {@code SeriesTable}. A {@code Scrape} writes them all from cached bytes in the
 * {@code Format} that {@code Negotiation} picked. {@code AutomaticMetrics} registers what every service has: HTTP, the
 * heap, the database pool, the process, the JVM, and the registry's own account of itself.
 */
package dev.porchlight.observe.metrics;
