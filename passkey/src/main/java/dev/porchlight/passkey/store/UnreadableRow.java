// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

/**
 * A row of {@code passkey_credential} that holds impossible values and is skipped, so that the user's other passkeys
 * work.
 *
 * @param credentialId the id as it is stored, of any length
 * @param userId its user
 * @param fault the reason, short and printable
 */
public record UnreadableRow(String credentialId, String userId, String fault) {}
