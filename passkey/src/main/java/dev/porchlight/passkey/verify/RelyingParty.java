// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.passkey.SignCountPolicy;
import dev.porchlight.passkey.UserVerification;
import java.util.Set;

/**
 * What the ceremonies are judged against.
 *
 * @param rpId the relying party id
 * @param origins the origins of our pages and apps, compared byte for byte
 * @param topOrigins the origins of pages that may show ours in a frame
 * @param userVerification whether users must be verified
 * @param signCountPolicy what a sign count that does not grow means
 */
public record RelyingParty(
        String rpId,
        Set<String> origins,
        Set<String> topOrigins,
        UserVerification userVerification,
        SignCountPolicy signCountPolicy) {
    public RelyingParty {
        origins = Set.copyOf(origins);
        topOrigins = Set.copyOf(topOrigins);
    }
}
