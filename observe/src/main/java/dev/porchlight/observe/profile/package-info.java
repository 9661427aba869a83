// SPDX-License-Identifier: Apache-2.0
/**
 * Latency per route. {@link dev.porchlight.observe.profile.RouteProfiler} records durations and returns {@link
 * dev.porchlight.observe.profile.RouteStatistics}, overall and for the last minute. {@link
 * dev.porchlight.observe.profile.RouteRecorder} records one route without a lookup. Durations are counted in log-linear
 * buckets, so memory is bounded and a percentile is at most 1 % off.
 */
package dev.porchlight.observe.profile;
