// SPDX-License-Identifier: Apache-2.0
/**
 * The configuration. {@link dev.porchlight.server.config.Settings} defines every environment variable with its default, range
 * and help; {@link dev.porchlight.server.config.Config} has their values. All faults are reported together, as
 * faults of one {@link dev.porchlight.server.config.InvalidConfigException}.
 */
package dev.porchlight.server.config;
