// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/**
 * A metric has reached its series limit. Reported once per metric.
 *
 * @param metric the metric's name
 * @param limit the maximum number of series
 * @param widestLabel the label with the most values, the likely cause
 * @param values the number of values of that label
 */
public record SeriesOverflow(String metric, int limit, String widestLabel, int values) {}
