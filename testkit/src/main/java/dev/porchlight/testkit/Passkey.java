// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

import org.jspecify.annotations.Nullable;

/**
 * A passkey as it lies in a {@link SoftAuthenticator}.
 *
 * @param id the credential id, base64url
 * @param userHandle base64url; null for a passkey that was made when the relying party discouraged discoverable ones
 * @param signCount as last reported
 */
public record Passkey(String id, String rpId, @Nullable String userHandle, String userName, long signCount) {}
