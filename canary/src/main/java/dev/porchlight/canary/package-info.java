// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code ./porchlight canary URL}: {@link dev.porchlight.canary.Canary} starts a {@code CanaryRun} at every interval, in
 * which the testkit's browser registers, signs in and presents tampered assertions, over HTTP, as an ordinary user. The results
 * are in {@code CanaryMetrics}, the log and {@code CanaryHealth}, which {@code MetricsServer} serves.
 */
package dev.porchlight.canary;
