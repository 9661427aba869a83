// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.passkey.AttestationPolicy;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.metadata.AuthenticatorPolicy;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Configures the relying party from valid settings. */
final class RelyingParty {
    private RelyingParty() {}

    /** Throws an {@link IllegalArgumentException} if the settings contradict each other. */
    static PasskeyConfig of(ConfigReader reader) {
        return PasskeyConfig.builder(
                        reader.get(Settings.RP_NAME),
                        reader.get(Settings.RP_ID),
                        reader.get(Settings.RP_ORIGIN).orElseThrow())
                .relatedOrigins(relatedOrigins(reader))
                .topOrigins(reader.get(Settings.RP_TOP_ORIGINS))
                .userVerification(reader.get(Settings.USER_VERIFICATION))
                .algorithms(reader.get(Settings.ALGORITHMS))
                .signCountPolicy(reader.get(Settings.SIGN_COUNT_POLICY))
                .challengeTtl(reader.get(Settings.CHALLENGE_TTL_MS))
                .maxPasskeysPerUser(reader.get(Settings.MAX_PASSKEYS_PER_USER))
                .enterpriseAttestation(Set.copyOf(reader.get(Settings.ENTERPRISE_ATTESTATION)))
                .attestationFormats(reader.get(Settings.ATTESTATION_FORMATS))
                .hints(reader.get(Settings.HINTS))
                .extensions(reader.get(Settings.EXTENSIONS))
                .attestation(attestation(reader), List.of())
                .build();
    }

    static AttestationPolicy attestation(ConfigReader reader) {
        if (policy(reader).attestationRequired()) {
            return AttestationPolicy.REQUIRE_TRUSTED;
        }
        return reader.get(Settings.ATTESTATION) ? AttestationPolicy.ACCEPT_UNTRUSTED : AttestationPolicy.NOT_REQUESTED;
    }

    private static Set<String> relatedOrigins(ConfigReader reader) {
        return Stream.concat(
                        reader.get(Settings.RP_RELATED_ORIGINS).stream(),
                        reader.get(Settings.ANDROID_APPS).stream().map(AndroidApp::origin))
                .collect(Collectors.toSet());
    }

    /** The policy for authenticators. */
    static AuthenticatorPolicy policy(ConfigReader reader) {
        return reader.get(Settings.PASSKEY_POLICY_FILE).orElse(AuthenticatorPolicy.DEFAULT);
    }
}
