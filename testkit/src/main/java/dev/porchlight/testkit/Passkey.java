// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

import org.jspecify.annotations.Nullable;

/**
 * A passkey in a {@link SoftAuthenticator}. Immutable.
 *
 * @param id the credential id, base64url
 * @param userHandle base64url; null for a passkey that is not discoverable
 * @param signCount the last reported count
 */
public record Passkey(String id, String rpId, @Nullable String userHandle, String userName, long signCount) {}
