// SPDX-License-Identifier: Apache-2.0
/**
 * The lies a response can tell, one for each thing a relying party must verify. {@code Tamper} lists them all; each
 * {@code Lie} has a name, a sentence and the step of the specification it is aimed at. The tables stand by theme, one
 * file each.
 */
package dev.porchlight.testkit.tamper;
