// SPDX-License-Identifier: Apache-2.0
/**
 * Stores and their records. {@link dev.porchlight.passkey.store.ChallengeStore} and {@link
 * dev.porchlight.passkey.store.UsedChallenges} keep challenges, in memory, SQL or Redis; {@link
 * dev.porchlight.passkey.store.CredentialStore} keeps users and their passkeys, in SQL. {@link
 * dev.porchlight.passkey.store.Migration} creates the tables. Nothing here verifies: whether a challenge has expired or a
 * sign count is too small is decided by the service.
 */
package dev.porchlight.passkey.store;
