// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import java.util.Objects;

/**
 * A challenge that was issued and not yet spent.
 *
 * @param challenge base64url without padding, as it stands in the options and in clientDataJSON
 * @param expiresAt milliseconds since the epoch, from which on the challenge is no longer good
 */
public record StoredChallenge(String challenge, long expiresAt) {
    public StoredChallenge {
        Objects.requireNonNull(challenge, "challenge");
    }
}
