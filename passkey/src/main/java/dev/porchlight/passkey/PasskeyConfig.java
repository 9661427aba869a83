// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.verify.RelyingParty;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The relying party and its policies. Name, id and origin are required; everything else has a default, and is set with a
 * {@link #builder}. Values that no browser accepts are refused with an {@link IllegalArgumentException} that states the expected form. Immutable.
 */
public final class PasskeyConfig {
    /** Five minutes. */
    public static final Duration DEFAULT_CHALLENGE_TTL = Duration.ofMinutes(5);

    /** One hour. */
    public static final Duration MAX_CHALLENGE_TTL = Duration.ofHours(1);

    /** Twenty. */
    public static final int DEFAULT_MAX_PASSKEYS_PER_USER = 20;

    /** Preferred, but not required. */
    public static final UserVerification DEFAULT_USER_VERIFICATION = UserVerification.PREFERRED;

    /** Refuse device-bound passkeys, flag synced ones. */
    public static final SignCountPolicy DEFAULT_SIGN_COUNT_POLICY = SignCountPolicy.AUTO;

    /** ES256 only. */
    public static final List<CredentialAlgorithm> DEFAULT_ALGORITHMS = List.of(CredentialAlgorithm.ES256);

    private final Builder values;

    /**
     * Creates a configuration with the defaults.
     *
     * @param rpName the display name of the relying party
     * @param rpId the domain that passkeys are created for: the origin's host, or a registrable parent of it
     * @param origin the origin of your pages, exactly as browsers write it: {@code https://example.com}
     */
    public PasskeyConfig(String rpName, String rpId, String origin) {
        this(builder(rpName, rpId, origin));
    }

    private PasskeyConfig(Builder values) {
        this.values = values.copy();
    }

    /** Returns a builder; the parameters are those of the {@linkplain #PasskeyConfig constructor}. */
    public static Builder builder(String rpName, String rpId, String origin) {
        return new Builder(Texts.require("rpName", rpName), Origins.requireRpId(rpId, requireOrigin(origin)), origin);
    }

    /** Returns a builder with the values of this configuration. */
    public Builder toBuilder() {
        return values.copy();
    }

    /** Returns the origin if it is a valid {@link #origin}, else throws an {@link IllegalArgumentException} with the reason. */
    public static String requireOrigin(String origin) {
        return Origins.requireWeb("origin", origin);
    }

    /** The display name of the relying party. */
    public String rpName() {
        return values.rpName;
    }

    /** The domain that passkeys are created for. */
    public String rpId() {
        return values.rpId;
    }

    /** The origin of the relying party's pages. */
    public String origin() {
        return values.origin;
    }

    /** Further origins of the relying party. */
    public Set<String> relatedOrigins() {
        return values.relatedOrigins;
    }

    /** Origins of pages that may embed the relying party's pages. */
    public Set<String> topOrigins() {
        return values.topOrigins;
    }

    /** The user verification requirement (PIN or biometrics). */
    public UserVerification userVerification() {
        return values.userVerification;
    }

    /** The attestation policy. */
    public AttestationPolicy attestationPolicy() {
        return values.attestationPolicy;
    }

    /** Certificates that are trusted to attest authenticators. */
    public Set<X509Certificate> trustAnchors() {
        return values.trustAnchors;
    }

    /** The policy for a sign count that does not grow. */
    public SignCountPolicy signCountPolicy() {
        return values.signCountPolicy;
    }

    /** The algorithms of new passkeys, in order of preference. */
    public List<CredentialAlgorithm> algorithms() {
        return values.algorithms;
    }

    /** The lifetime of a challenge; also the timeout in the options. */
    public Duration challengeTtl() {
        return values.challengeTtl;
    }

    /** The maximum number of passkeys per user. */
    public int maxPasskeysPerUser() {
        return values.maxPasskeysPerUser;
    }

    /** Kinds of authenticators that browsers should offer first. */
    public List<String> hints() {
        return values.hints;
    }

    /** Formats of attestation statements, in order of preference; empty for any. */
    public List<String> attestationFormats() {
        return values.attestationFormats;
    }

    /** The users whose authenticators may identify themselves. */
    public Set<String> enterpriseAttestation() {
        return values.enterpriseAttestation;
    }

    /** The extensions that ceremonies request. */
    public Extensions extensions() {
        return values.extensions;
    }

    /** The values that the ceremonies verify against. */
    RelyingParty relyingParty() {
        Set<String> origins = new HashSet<>(values.relatedOrigins);
        origins.add(values.origin);
        return new RelyingParty(
                values.rpId,
                origins,
                values.topOrigins,
                values.userVerification,
                values.signCountPolicy,
                values.algorithms);
    }

    /** Builds a {@link PasskeyConfig}. Every value is checked when it is set. Not thread-safe. */
    public static final class Builder {
        private final String rpName;
        private final String rpId;
        private final String origin;
        private Set<String> relatedOrigins = Set.of();
        private Set<String> topOrigins = Set.of();
        private UserVerification userVerification = DEFAULT_USER_VERIFICATION;
        private AttestationPolicy attestationPolicy = AttestationPolicy.NOT_REQUESTED;
        private Set<X509Certificate> trustAnchors = Set.of();
        private SignCountPolicy signCountPolicy = DEFAULT_SIGN_COUNT_POLICY;
        private List<CredentialAlgorithm> algorithms = DEFAULT_ALGORITHMS;
        private Duration challengeTtl = DEFAULT_CHALLENGE_TTL;
        private int maxPasskeysPerUser = DEFAULT_MAX_PASSKEYS_PER_USER;
        private List<String> hints = List.of();
        private List<String> attestationFormats = List.of();
        private Set<String> enterpriseAttestation = Set.of();
        private Extensions extensions = Extensions.NONE;

        private Builder(String rpName, String rpId, String origin) {
            this.rpName = rpName;
            this.rpId = rpId;
            this.origin = origin;
        }

        /** Adds origins of the relying party, compared byte for byte: related web origins and Android apps. */
        public Builder relatedOrigins(Set<String> origins) {
            Set<String> copy = Set.copyOf(origins);
            copy.forEach(related -> Origins.requireWebOrApp("relatedOrigins", related));
            relatedOrigins = copy;
            return this;
        }

        /** Allows pages of these origins to embed yours. By default, ceremonies in a cross-origin frame are refused. */
        public Builder topOrigins(Set<String> origins) {
            Set<String> copy = Set.copyOf(origins);
            copy.forEach(top -> Origins.requireWeb("topOrigins", top));
            topOrigins = copy;
            return this;
        }

        /** Requires, prefers or discourages PIN or biometrics. */
        public Builder userVerification(UserVerification wanted) {
            userVerification = wanted;
            return this;
        }

        /**
         * Sets the attestation policy.
         *
         * @param anchors the certificates to trust: roots, intermediate authorities, or attestation certificates.
         *     Revocation is not checked: leave out certificates that should no longer be trusted
         */
        public Builder attestation(AttestationPolicy policy, Collection<X509Certificate> anchors) {
            attestationPolicy = policy;
            trustAnchors = Set.copyOf(anchors);
            return this;
        }

        /** Sets the policy for a sign count that does not grow. */
        public Builder signCountPolicy(SignCountPolicy policy) {
            signCountPolicy = policy;
            return this;
        }

        /**
         * Sets the algorithms of new passkeys, in order of preference. ES256 is required. Registered passkeys keep working when
         * their algorithm is removed here.
         */
        public Builder algorithms(Collection<CredentialAlgorithm> inOrder) {
            if (!inOrder.contains(CredentialAlgorithm.ES256)) {
                throw new IllegalArgumentException("algorithms must contain ES256, which most authenticators require");
            }
            algorithms = inOrder.stream().distinct().toList();
            return this;
        }

        /** Sets the lifetime of a challenge: 1 ms to {@link #MAX_CHALLENGE_TTL}. */
        public Builder challengeTtl(Duration ttl) {
            if (ttl.toMillis() < 1 || ttl.compareTo(MAX_CHALLENGE_TTL) > 0) {
                throw new IllegalArgumentException("challengeTtl " + ttl + " is not between 1 ms and an hour");
            }
            challengeTtl = ttl;
            return this;
        }

        /** Sets the maximum number of passkeys per user; at least 1. */
        public Builder maxPasskeysPerUser(int limit) {
            if (limit < 1) {
                throw new IllegalArgumentException("maxPasskeysPerUser must be at least 1");
            }
            maxPasskeysPerUser = limit;
            return this;
        }

        /** Sets which kinds of authenticators browsers should offer first, for example {@code security-key}. */
        public Builder hints(List<String> kinds) {
            hints = List.copyOf(kinds);
            return this;
        }

        /** Sets which formats of attestation statements browsers should request, in order of preference. */
        public Builder attestationFormats(List<String> inOrder) {
            attestationFormats = List.copyOf(inOrder);
            return this;
        }

        /** Requests attestation that identifies the single authenticator from these users, by user id, and from no others. */
        public Builder enterpriseAttestation(Set<String> userIds) {
            enterpriseAttestation = Set.copyOf(userIds);
            return this;
        }

        /** Sets the extensions that ceremonies request, except for those with {@link PasskeyService#requesting}. */
        public Builder extensions(Extensions requested) {
            extensions = requested;
            return this;
        }

        private Builder copy() {
            return new Builder(rpName, rpId, origin)
                    .relatedOrigins(relatedOrigins)
                    .topOrigins(topOrigins)
                    .userVerification(userVerification)
                    .attestation(attestationPolicy, trustAnchors)
                    .signCountPolicy(signCountPolicy)
                    .algorithms(algorithms)
                    .challengeTtl(challengeTtl)
                    .maxPasskeysPerUser(maxPasskeysPerUser)
                    .hints(hints)
                    .attestationFormats(attestationFormats)
                    .enterpriseAttestation(enterpriseAttestation)
                    .extensions(extensions);
        }

        public PasskeyConfig build() {
            return new PasskeyConfig(this);
        }
    }
}
