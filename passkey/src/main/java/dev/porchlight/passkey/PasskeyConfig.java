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
import java.util.function.Consumer;

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
 * @param signCountPolicy what happens when a sign count does not grow; {@code AUTO} by default
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

    static final Duration LONGEST_TTL = Duration.ofHours(1);

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
                SignCountPolicy.AUTO,
                Duration.ofMinutes(5),
                20,
                List.of());
    }

    /**
     * The origin, if it can be configured as {@link #origin}.
     *
     * @throws IllegalArgumentException if it cannot, with the reason
     */
    public static String requireOrigin(String origin) {
        return Origins.requireWeb("origin", origin);
    }

    /** The same with these further origins of ours. */
    public PasskeyConfig withRelatedOrigins(Set<String> origins) {
        return with(draft -> draft.relatedOrigins = origins);
    }

    /** The same with these pages allowed to show ours in a frame. */
    public PasskeyConfig withTopOrigins(Set<String> origins) {
        return with(draft -> draft.topOrigins = origins);
    }

    /** The same with PIN or biometrics required, preferred or discouraged. */
    public PasskeyConfig withUserVerification(UserVerification wanted) {
        return with(draft -> draft.userVerification = wanted);
    }

    /** The same, asking authenticators what they are, unless the policy is not to. */
    public PasskeyConfig withAttestation(AttestationPolicy policy, TrustAnchors anchors) {
        return with(draft -> {
            draft.attestationPolicy = policy;
            draft.trustAnchors = anchors;
        });
    }

    /** The same with another policy for sign counts that do not grow. */
    public PasskeyConfig withSignCountPolicy(SignCountPolicy policy) {
        return with(draft -> draft.signCountPolicy = policy);
    }

    /** The same with another time for answers to take, from a millisecond to an hour. */
    public PasskeyConfig withChallengeTtl(Duration ttl) {
        return with(draft -> draft.challengeTtl = ttl);
    }

    /** The same with another number of passkeys that a user may have. */
    public PasskeyConfig withMaxPasskeysPerUser(int limit) {
        return with(draft -> draft.maxPasskeysPerUser = limit);
    }

    /** The same with hints for the browser on what to offer first. */
    public PasskeyConfig withHints(List<String> kinds) {
        return with(draft -> draft.hints = kinds);
    }

    /** All origins of ours, as the ceremonies judge them. */
    RelyingParty relyingParty() {
        Set<String> origins = new HashSet<>(relatedOrigins);
        origins.add(origin);
        return new RelyingParty(rpId, origins, topOrigins, userVerification, signCountPolicy);
    }

    private PasskeyConfig with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.config();
    }

    /** A copy under change: what the {@code with} methods have in common. */
    private static final class Draft {
        private final PasskeyConfig base;
        private Set<String> relatedOrigins;
        private Set<String> topOrigins;
        private UserVerification userVerification;
        private AttestationPolicy attestationPolicy;
        private TrustAnchors trustAnchors;
        private SignCountPolicy signCountPolicy;
        private Duration challengeTtl;
        private int maxPasskeysPerUser;
        private List<String> hints;

        Draft(PasskeyConfig base) {
            this.base = base;
            relatedOrigins = base.relatedOrigins;
            topOrigins = base.topOrigins;
            userVerification = base.userVerification;
            attestationPolicy = base.attestationPolicy;
            trustAnchors = base.trustAnchors;
            signCountPolicy = base.signCountPolicy;
            challengeTtl = base.challengeTtl;
            maxPasskeysPerUser = base.maxPasskeysPerUser;
            hints = base.hints;
        }

        PasskeyConfig config() {
            return new PasskeyConfig(
                    base.rpName,
                    base.rpId,
                    base.origin,
                    relatedOrigins,
                    topOrigins,
                    userVerification,
                    attestationPolicy,
                    trustAnchors,
                    signCountPolicy,
                    challengeTtl,
                    maxPasskeysPerUser,
                    hints);
        }
    }
}
