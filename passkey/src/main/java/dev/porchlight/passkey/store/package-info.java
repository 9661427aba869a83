// SPDX-License-Identifier: Apache-2.0
/**
 * What the ceremonies remember. {@link dev.porchlight.passkey.store.ChallengeStore} holds what was asked until it is
 * answered, in memory, SQL or Redis; {@link dev.porchlight.passkey.store.CredentialStore} holds users and their passkeys, in
 * SQL. {@link dev.porchlight.passkey.store.Migration} makes the tables. All JDBC goes through the package's own {@code
 * Sql}. Nothing here judges: whether a challenge is expired or a count too small to trust is decided elsewhere.
 */
package dev.porchlight.passkey.store;
