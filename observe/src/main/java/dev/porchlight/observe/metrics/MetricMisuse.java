// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/**
 * Reports that a recording was refused, once per metric.
 *
 * @param metric the metric's name
 * @param reason what was refused first
 */
public record MetricMisuse(String metric, String reason) {}
