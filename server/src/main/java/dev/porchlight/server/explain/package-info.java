// SPDX-License-Identifier: Apache-2.0
/**
 * What this deployment makes of a response that somebody captured, or that it refused itself and keeps for a while in {@link
 * dev.porchlight.server.explain.RefusedResponses}. {@link dev.porchlight.server.explain.Explainer} has the library's own
 * ceremonies judge it, step by step, and goes on behind what a setting or another challenge would have let pass. It reads the
 * database, and spends and writes nothing.
 */
package dev.porchlight.server.explain;
