// SPDX-License-Identifier: Apache-2.0
/**
 * The configuration. {@link dev.porchlight.server.config.Variable} lists every environment variable with its meaning;
 * {@link dev.porchlight.server.config.Config} is what they amount to. All faults are found before any is reported, as
 * {@link dev.porchlight.server.config.Fault}s in one {@link dev.porchlight.server.config.InvalidConfigException}.
 */
package dev.porchlight.server.config;
