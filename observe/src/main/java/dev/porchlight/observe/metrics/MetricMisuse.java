// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/**
 * The news that a metric was misused, reported once per metric.
 *
 * @param metric the metric's name
 * @param reason what was refused first
 */
public record MetricMisuse(String metric, String reason) {}
