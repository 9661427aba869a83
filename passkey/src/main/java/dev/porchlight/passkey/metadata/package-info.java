// SPDX-License-Identifier: Apache-2.0
/**
 * FIDO metadata about models of authenticators, and the policy for them. Depends on the formats of attestation and on nothing
 * else of this module.
 */
package dev.porchlight.passkey.metadata;
