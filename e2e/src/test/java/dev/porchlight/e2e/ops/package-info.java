// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of {@code ops/}: rules and dashboards match the exported metrics, checked with promtool and Prometheus; manifests,
 * systemd unit and image match the configuration.
 */
package dev.porchlight.e2e.ops;
