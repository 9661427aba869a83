// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import java.util.Objects;

/**
 * A challenge that was issued and not yet used. Immutable.
 *
 * @param challenge base64url without padding, as in the options and in clientDataJSON
 * @param expiresAt when the challenge expires, in milliseconds since the epoch
 */
public record StoredChallenge(String challenge, long expiresAt) {
    public StoredChallenge {
        Objects.requireNonNull(challenge, "challenge");
    }
}
