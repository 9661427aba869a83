// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.SignCountPolicy;
import dev.porchlight.passkey.UserVerification;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the starter, beside those of the {@link RelyingParty}. Immutable.
 *
 * @param migrate Whether to create or update the tables at startup.
 * @param challengeKey Secret of at least 32 characters, shared by all instances, that seals challenges. By default a
 *     key is created once and stored in the database.
 * @param previousChallengeKey Previous challenge key. Challenges sealed with it are accepted until they expire.
 * @param decoyKey Secret of at least 32 characters, shared by all instances, for the decoy passkeys of unknown users.
 *     By default they are derived from the challenge key, and a warning is logged at startup.
 * @param recentLogin Maximum age of a sign-in that may add or remove passkeys.
 * @param checkSessions Whether each request of a session checks that its passkey exists, with one query.
 */
@ConfigurationProperties("porchlight")
public record PorchlightProperties(
        @DefaultValue("true") boolean migrate,
        @Nullable String challengeKey,
        @Nullable String previousChallengeKey,
        @Nullable String decoyKey,
        @DefaultValue("5m") Duration recentLogin,
        @DefaultValue("true") boolean checkSessions) {

    /** Omits the secrets, because Spring prints this in error reports. */
    @Override
    public String toString() {
        return "PorchlightProperties[migrate=" + migrate + ']';
    }

    /**
     * The relying party. The first three are required; the others default to the library's defaults. A bean of type {@link
     * dev.porchlight.passkey.PasskeyConfig} replaces them all. Immutable.
     *
     * @param rpName Name of the application that browsers may show.
     * @param rpId Domain that passkeys are created for: the host of the origin, or a registrable parent domain.
     * @param origin Origin of the pages, exactly as browsers write it, such as https://example.com.
     * @param relatedOrigins Additional origins of the application, compared exactly: web origins and Android apps.
     * @param topOrigins Origins of pages that may embed the pages in a frame and use passkeys there.
     * @param userVerification Whether authenticators must verify the user, by PIN or biometrics.
     * @param algorithms Algorithms of new passkeys, in order of preference: ES256, alone or with others, such as RS256 for
     *     Windows Hello machines that only create RSA keys.
     * @param hints Kinds of authenticators that browsers should offer first: security-key, client-device or hybrid.
     * @param extensions WebAuthn extensions to request, such as prf, largeBlob or minPinLength.
     * @param signCountPolicy Action when a sign count does not grow: reject, flag, or auto, which rejects device-bound
     *     passkeys and flags synced ones.
     * @param challengeTtl Time limit of a ceremony, from a millisecond to an hour.
     * @param maxPasskeysPerUser Maximum number of passkeys per user.
     */
    @ConfigurationProperties("porchlight")
    public record RelyingParty(
            @Nullable String rpName,
            @Nullable String rpId,
            @Nullable String origin,
            @DefaultValue List<String> relatedOrigins,
            @DefaultValue List<String> topOrigins,
            @Nullable UserVerification userVerification,
            @DefaultValue("ES256") List<CredentialAlgorithm> algorithms,
            @DefaultValue List<String> hints,
            @DefaultValue List<String> extensions,
            @Nullable SignCountPolicy signCountPolicy,
            @Nullable Duration challengeTtl,
            @Nullable Integer maxPasskeysPerUser) {}
}
