// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/**
 * The first refused recording of a metric.
 *
 * @param metric the metric's name
 * @param reason why the recording was refused
 */
public record MetricMisuse(String metric, String reason) {}
