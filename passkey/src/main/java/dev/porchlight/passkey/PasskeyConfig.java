// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.attestation.AttestationPolicy;
import dev.porchlight.passkey.attestation.TrustAnchors;
import dev.porchlight.passkey.verify.RelyingParty;
import dev.porchlight.passkey.verify.SignCountPolicy;
import dev.porchlight.passkey.verify.UserVerification;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Who the relying party is and what it asks for. The first three are all that must be said; the rest has defaults and is
 * changed with the {@code with} methods. Checked when made: what a browser would never accept is refused with an {@link
 * IllegalArgumentException} that says what would be right. Immutable.
 *
 * @param rpName what browsers may call the relying party
 * @param rpId the domain passkeys are made for: the origin's host, or a registrable parent of it
 * @param origin where our pages are, exactly as browsers write it: {@code https://example.com}
 * @param relatedOrigins further origins of ours, compared byte for byte: related web origins and Android apps
 * @param topOrigins pages that may show ours in a frame; none by default, and then framed ceremonies are refused
 * @param userVerification whether PIN or biometrics are required; {@code PREFERRED} by default
 * @param attestationPolicy whether authenticators are asked what they are, and what an answer that is not trusted means
 * @param trustAnchors who is trusted to vouch for authenticators
 * @param signCountPolicy what follows when a sign count does not grow; {@code REJECT} by default
 * @param challengeTtl how long an answer may take; five minutes by default, and also the options' timeout
 * @param maxPasskeysPerUser how many passkeys a user may have; 20 by default
 * @param hints what kind of authenticator browsers should offer first, for example {@code security-key}
 */
public record PasskeyConfig(
        String rpName,
        String rpId,
        String origin,
        Set<String> relatedOrigins,
        Set<String> topOrigins,
        UserVerification userVerification,
        AttestationPolicy attestationPolicy,
        TrustAnchors trustAnchors,
        SignCountPolicy signCountPolicy,
        Duration challengeTtl,
        int maxPasskeysPerUser,
        List<String> hints) {

    private static final Duration LONGEST_TTL = Duration.ofHours(1);

    public PasskeyConfig {
        Texts.require("rpName", rpName);
        Origins.requireWeb("origin", origin);
        Origins.requireRpId(rpId, origin);
        relatedOrigins = Set.copyOf(relatedOrigins);
        relatedOrigins.forEach(related -> Origins.requireWebOrApp("relatedOrigins", related));
        topOrigins = Set.copyOf(topOrigins);
        topOrigins.forEach(top -> Origins.requireWeb("topOrigins", top));
        if (challengeTtl.toMillis() < 1 || challengeTtl.compareTo(LONGEST_TTL) > 0) {
            throw new IllegalArgumentException("challengeTtl " + challengeTtl + " is not between 1 ms and an hour");
        }
        if (maxPasskeysPerUser < 1) {
            throw new IllegalArgumentException("maxPasskeysPerUser must be at least 1");
        }
        hints = List.copyOf(hints);
    }

    /** A relying party with the defaults. */
    public PasskeyConfig(String rpName, String rpId, String origin) {
        this(
                rpName,
                rpId,
                origin,
                Set.of(),
                Set.of(),
                UserVerification.PREFERRED,
                AttestationPolicy.NOT_REQUESTED,
                TrustAnchors.none(),
                SignCountPolicy.REJECT,
                Duration.ofMinutes(5),
                20,
                List.of());
    }

    public PasskeyConfig withRelatedOrigins(Set<String> origins) {
        return new PasskeyConfig(
                rpName,
                rpId,
                origin,
                origins,
                topOrigins,
                userVerification,
                attestationPolicy,
                trustAnchors,
                signCountPolicy,
                challengeTtl,
                maxPasskeysPerUser,
                hints);
    }

    public PasskeyConfig withTopOrigins(Set<String> origins) {
        return new PasskeyConfig(
                rpName,
                rpId,
                origin,
                relatedOrigins,
                origins,
                userVerification,
                attestationPolicy,
                trustAnchors,
                signCountPolicy,
                challengeTtl,
                maxPasskeysPerUser,
                hints);
    }

    public PasskeyConfig withUserVerification(UserVerification wanted) {
        return new PasskeyConfig(
                rpName,
                rpId,
                origin,
                relatedOrigins,
                topOrigins,
                wanted,
                attestationPolicy,
                trustAnchors,
                signCountPolicy,
                challengeTtl,
                maxPasskeysPerUser,
                hints);
    }

    public PasskeyConfig withAttestation(AttestationPolicy policy, TrustAnchors anchors) {
        return new PasskeyConfig(
                rpName,
                rpId,
                origin,
                relatedOrigins,
                topOrigins,
                userVerification,
                policy,
                anchors,
                signCountPolicy,
                challengeTtl,
                maxPasskeysPerUser,
                hints);
    }

    public PasskeyConfig withSignCountPolicy(SignCountPolicy policy) {
        return new PasskeyConfig(
                rpName,
                rpId,
                origin,
                relatedOrigins,
                topOrigins,
                userVerification,
                attestationPolicy,
                trustAnchors,
                policy,
                challengeTtl,
                maxPasskeysPerUser,
                hints);
    }

    public PasskeyConfig withChallengeTtl(Duration ttl) {
        return new PasskeyConfig(
                rpName,
                rpId,
                origin,
                relatedOrigins,
                topOrigins,
                userVerification,
                attestationPolicy,
                trustAnchors,
                signCountPolicy,
                ttl,
                maxPasskeysPerUser,
                hints);
    }

    public PasskeyConfig withMaxPasskeysPerUser(int limit) {
        return new PasskeyConfig(
                rpName,
                rpId,
                origin,
                relatedOrigins,
                topOrigins,
                userVerification,
                attestationPolicy,
                trustAnchors,
                signCountPolicy,
                challengeTtl,
                limit,
                hints);
    }

    public PasskeyConfig withHints(List<String> kinds) {
        return new PasskeyConfig(
                rpName,
                rpId,
                origin,
                relatedOrigins,
                topOrigins,
                userVerification,
                attestationPolicy,
                trustAnchors,
                signCountPolicy,
                challengeTtl,
                maxPasskeysPerUser,
                kinds);
    }

    /** All origins of ours, as the ceremonies judge them. */
    RelyingParty relyingParty() {
        Set<String> origins = new HashSet<>(relatedOrigins);
        origins.add(origin);
        return new RelyingParty(rpId, origins, topOrigins, userVerification, signCountPolicy);
    }
}
