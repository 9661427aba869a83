// SPDX-License-Identifier: Apache-2.0
/**
 * Metrics, in four stages. Live objects ({@code Counter}, {@code Gauge}, {@code Histogram}, {@code Timer}, callbacks)
 * hold one {@code Series} per label set in a {@code SeriesTable}. Reading a metric fills a {@code SeriesReading} per
 * series. A {@code TextWriter} writes readings in a {@code Format}; a {@code MetricSnapshot} holds them for other code.
 * {@code MetricRegistry} registers metrics and serves scrapes in the format of a {@code Negotiation}. {@code
 * AutomaticMetrics} registers the built-in metrics: HTTP, heap, database pool, process, JVM and the registry itself.
 */
package dev.porchlight.observe.metrics;
