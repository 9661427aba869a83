// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/**
 * Reports that a metric has reached its limit of series, once per metric.
 *
 * @param metric the metric's name
 * @param limit how many series it may have
 * @param widestLabel the label with most values, the likely culprit
 * @param values how many values that label has
 */
public record SeriesOverflow(String metric, int limit, String widestLabel, int values) {}
