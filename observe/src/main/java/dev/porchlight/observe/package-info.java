// SPDX-License-Identifier: Apache-2.0
/**
 * The front door. {@link dev.porchlight.observe.Observability} opens the five signals as its
 * {@link dev.porchlight.observe.ObservabilitySettings} say and ties them together: lines carry the trace, metrics carry exemplars of it, and what the signals have to say of themselves becomes
 * metrics and log lines.
 */
package dev.porchlight.observe;
