// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.attestation.AttestationPolicy;
import dev.porchlight.passkey.attestation.TrustAnchors;
import dev.porchlight.passkey.verify.SignCountPolicy;
import dev.porchlight.passkey.verify.UserVerification;
import java.time.Duration;
import java.util.Set;

/** Reads the relying party. What a browser would never accept is a fault of the variable that says it. */
final class RelyingPartyReader {
    private static final PasskeyConfig ANY = new PasskeyConfig("Porchlight", "localhost", "http://localhost");

    private enum Attestation {
        NONE,
        DIRECT
    }

    private RelyingPartyReader() {}

    static PasskeyConfig read(Environment env, int port) {
        String name = env.checked(Variable.RP_NAME, ANY.rpName(), v -> new PasskeyConfig(v, ANY.rpId(), ANY.origin()));
        String localOrigin = localOrigin(env.text(Variable.TLS_CERTIFICATE) != null, port);
        String origin = env.checked(Variable.RP_ORIGIN, localOrigin, PasskeyConfig::requireOrigin);
        String rpId = env.text(Variable.RP_ID) == null ? ANY.rpId() : String.valueOf(env.text(Variable.RP_ID));
        PasskeyConfig party = ANY;
        try {
            party = new PasskeyConfig(name, rpId, origin);
        } catch (IllegalArgumentException e) {
            env.fault(Variable.RP_ID, "does not fit RP_ORIGIN", String.valueOf(e.getMessage()));
        }
        for (String related : env.list(Variable.RP_RELATED_ORIGINS)) {
            try {
                ANY.withRelatedOrigins(Set.of(related));
            } catch (IllegalArgumentException e) {
                env.fault(Variable.RP_RELATED_ORIGINS, "is wrong", String.valueOf(e.getMessage()));
            }
        }
        boolean direct = env.choice(Variable.ATTESTATION, Attestation.NONE) == Attestation.DIRECT;
        party = party.withUserVerification(env.choice(Variable.USER_VERIFICATION, UserVerification.PREFERRED))
                .withSignCountPolicy(env.choice(Variable.SIGN_COUNT_POLICY, SignCountPolicy.AUTO))
                .withChallengeTtl(Duration.ofMillis(env.number(Variable.CHALLENGE_TTL_MS, 300_000, 1_000, 3_600_000)))
                .withMaxPasskeysPerUser(env.number(Variable.MAX_PASSKEYS_PER_USER, 20, 1, 1_000))
                .withAttestation(
                        direct ? AttestationPolicy.ACCEPT_UNTRUSTED : AttestationPolicy.NOT_REQUESTED,
                        TrustAnchors.none());
        return env.faults().isEmpty()
                ? party.withRelatedOrigins(Set.copyOf(env.list(Variable.RP_RELATED_ORIGINS)))
                : party;
    }

    private static String localOrigin(boolean tls, int port) {
        String origin = (tls ? "https" : "http") + "://localhost";
        return port == 0 || port == (tls ? 443 : 80) ? origin : origin + ':' + port;
    }
}
