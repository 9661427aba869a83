// SPDX-License-Identifier: Apache-2.0
/**
 * Key pairs of credentials and their COSE encoding. Not exported.
 */
package dev.porchlight.testkit.key;
