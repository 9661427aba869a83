// SPDX-License-Identifier: Apache-2.0
/**
 * Key pairs of credentials: made, written as COSE keys, signed with. Not exported. ES256 is the algorithm of the kit;
 * the others exist so that a relying party can be seen refusing what it did not offer.
 */
package dev.porchlight.testkit.key;
