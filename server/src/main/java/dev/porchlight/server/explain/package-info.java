// SPDX-License-Identifier: Apache-2.0
/**
 * Explains a response that an operator captured, or that this instance refused and keeps for a day in {@link
 * dev.porchlight.server.explain.RefusedResponses}. {@link dev.porchlight.server.explain.Explainer} shows the transcript of
 * the library's own ceremonies, and says which steps cannot be checked afterwards. It reads the database and changes nothing.
 */
package dev.porchlight.server.explain;
