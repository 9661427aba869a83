// SPDX-License-Identifier: Apache-2.0
/**
 * Explains a response that an operator captured or this instance refused. {@link
 * dev.porchlight.server.operator.explain.Explainer} shows the transcript of the library's own ceremonies, and says which steps cannot be
 * checked afterwards. It reads the database and changes nothing.
 */
package dev.porchlight.server.operator.explain;
