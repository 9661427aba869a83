// SPDX-License-Identifier: Apache-2.0
/**
 * What stands in {@code ops/} against what the service does: rules and dashboards against the metrics that are exported, with
 * promtool and a real Prometheus; manifests, unit and image against the configuration; the distribution against itself.
 * {@code PromQl}, {@code Exposition} and {@code Traffic} are what the tests read and drive with.
 */
package dev.porchlight.e2e.ops;
