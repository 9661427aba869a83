// SPDX-License-Identifier: Apache-2.0
/**
 * Mutations of responses, at least one for each check of a relying party. {@code Mutations} lists them all; each {@code
 * Mutation} has a name, a description and the targeted step of the specification. Each table is in its own file.
 */
package dev.porchlight.testkit.tamper;
