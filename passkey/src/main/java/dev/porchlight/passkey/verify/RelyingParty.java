// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.SignCountPolicy;
import dev.porchlight.passkey.UserVerification;
import java.util.List;
import java.util.Set;

/**
 * The configuration that ceremonies verify against.
 *
 * @param rpId the relying party id
 * @param origins the origins of the relying party's pages and apps, compared byte for byte
 * @param topOrigins the origins of pages that may embed them
 * @param userVerification the user verification requirement
 * @param signCountPolicy the policy for a sign count that does not grow
 * @param algorithms the algorithms of new credentials, in order of preference
 */
public record RelyingParty(
        String rpId,
        Set<String> origins,
        Set<String> topOrigins,
        UserVerification userVerification,
        SignCountPolicy signCountPolicy,
        List<CredentialAlgorithm> algorithms) {
    public RelyingParty {
        origins = Set.copyOf(origins);
        topOrigins = Set.copyOf(topOrigins);
        algorithms = List.copyOf(algorithms);
    }
}
