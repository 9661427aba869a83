// SPDX-License-Identifier: Apache-2.0
/**
 * Passkeys for users without any, so that options and refusals do not reveal which accounts exist. They are drawn from a
 * table that follows the stored passkeys, and that all instances share.
 */
package dev.porchlight.passkey.decoy;
