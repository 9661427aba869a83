// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.profile;

/**
 * Latency of one route, in milliseconds.
 *
 * <p>Percentiles are nearest-rank, at most 1 % off and never above the longest duration; count and mean are exact. All are 0 when nothing was recorded.
 */
public record RouteStatistics(double p50, double p95, double p99, long count, double mean) {
    static final RouteStatistics NONE = new RouteStatistics(0, 0, 0, 0, 0);
}
