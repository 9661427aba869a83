// SPDX-License-Identifier: Apache-2.0
/**
 * The mutations a response can tell, one for each thing a relying party must verify. {@code Mutations} lists them all; each
 * {@code Mutation} has a name, a sentence and the step of the specification it is aimed at. The tables stand by theme, one
 * file each.
 */
package dev.porchlight.testkit.tamper;
