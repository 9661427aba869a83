// SPDX-License-Identifier: Apache-2.0
/**
 * The entry point. {@link dev.porchlight.observe.Observability} opens the five signals with its {@link
 * dev.porchlight.observe.ObservabilitySettings} and connects them: log lines carry the trace, metrics carry exemplars
 * of it, and problems of the signals themselves become metrics and log lines.
 */
package dev.porchlight.observe;
