// SPDX-License-Identifier: Apache-2.0
/**
 * How long each route takes. {@link dev.porchlight.observe.profile.RouteProfiler} takes durations per route and gives
 * {@link dev.porchlight.observe.profile.RouteStatistics}, overall and for the last minute;
 * {@link dev.porchlight.observe.profile.RouteRecorder} is one route, bound once. Durations are counted in logarithmic
 * buckets with a linear division, so memory is bounded and a percentile is at most 1 % off.
 */
package dev.porchlight.observe.profile;
