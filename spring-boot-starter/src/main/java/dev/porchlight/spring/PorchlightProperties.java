// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring;

import dev.porchlight.passkey.SignCountPolicy;
import dev.porchlight.passkey.UserVerification;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the starter. The first three are required; where another one is not set, the default of the library applies. A
 * bean of type {@link dev.porchlight.passkey.PasskeyConfig} replaces all but the last four. Immutable.
 *
 * @param rpName Name that browsers may show for the application.
 * @param rpId Domain that passkeys are created for: the host of the origin, or a registrable parent of it.
 * @param origin Origin of the pages, exactly as browsers write it, such as https://example.com.
 * @param relatedOrigins Further origins of the application, compared byte for byte: web origins and Android apps.
 * @param userVerification Whether authenticators must verify their user, by PIN or biometrics.
 * @param signCountPolicy What to do when a sign count does not grow: reject, flag, or auto, which rejects device-bound passkeys and
 *     flags synced ones.
 * @param challengeTtl How long a ceremony may take, from a millisecond to an hour.
 * @param maxPasskeysPerUser How many passkeys a user may have.
 * @param migrate Whether the tables are created or updated at the start.
 * @param challengeKey Secret of at least 32 characters, the same for all instances, that challenges are sealed with. By default a
 *     key is created once and kept in the database.
 * @param previousChallengeKey Challenge key before the last change. Challenges sealed with it are accepted until they expire.
 * @param decoyKey Secret of at least 32 characters, the same for all instances, that the decoy passkeys of unknown users are derived
 *     from. By default they are derived from the challenge key, and a warning is logged at start.
 */
@ConfigurationProperties("porchlight")
public record PorchlightProperties(
        @Nullable String rpName,
        @Nullable String rpId,
        @Nullable String origin,
        @DefaultValue List<String> relatedOrigins,
        @Nullable UserVerification userVerification,
        @Nullable SignCountPolicy signCountPolicy,
        @Nullable Duration challengeTtl,
        @Nullable Integer maxPasskeysPerUser,
        @DefaultValue("true") boolean migrate,
        @Nullable String challengeKey,
        @Nullable String previousChallengeKey,
        @Nullable String decoyKey) {

    /** Leaves out the secrets, because this is printed when something goes wrong. */
    @Override
    public String toString() {
        return "PorchlightProperties[rpName=" + rpName + ", rpId=" + rpId + ", origin=" + origin + ']';
    }
}
