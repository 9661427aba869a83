// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.passkey.verify.RegisteredCredential;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A passkey as it is stored: what WebAuthn calls a credential record, and whose it is.
 *
 * <p>The first five are all a login needs. The others may be unknown (null, or empty), as they are for passkeys that
 * were imported from elsewhere; a rule that needs an unknown value does not apply to that passkey. The one exception is
 * the user handle: a login that names no user is refused where the handle is unknown, since the handle alone would say
 * who signs in (section 7.2, step 6). An import that knows the handles should bring them.
 *
 * @param credentialId base64url without padding, at most 1364 characters (1023 bytes)
 * @param userId whose passkey it is
 * @param publicKey JWK JSON with {@code kty}, {@code crv}, {@code x} and {@code y}
 * @param signCount the greatest count seen, 0 to 2^32-1
 * @param origin where it was registered
 * @param userHandle base64url, the {@code user.id} it was created under
 * @param transports how the browser may reach the authenticator, as the browser told at registration
 * @param backupEligible whether it may be synchronised (BE)
 * @param backedUp whether it was, when last used (BS)
 * @param userVerified whether the user was verified at registration (UV)
 * @param verificationRequired whether the policy then demanded it, so that it may not be dropped later
 * @param discoverable whether the authenticator can offer it without being told its id (credProps.rk)
 * @param aaguid the authenticator's model, as a UUID, unauthenticated unless attested
 * @param attestationFormat the attestation statement's format
 * @param attestationTrust what the attestation was worth when it was judged
 * @param name the user's own word for it
 * @param createdAt when it was registered
 * @param lastUsedAt when it was last used to sign in
 * @param seal the MAC over what a login trusts, where rows are sealed
 */
public record CredentialRecord(
        String credentialId,
        String userId,
        String publicKey,
        long signCount,
        String origin,
        @Nullable String userHandle,
        List<String> transports,
        @Nullable Boolean backupEligible,
        @Nullable Boolean backedUp,
        @Nullable Boolean userVerified,
        @Nullable Boolean verificationRequired,
        @Nullable Boolean discoverable,
        @Nullable String aaguid,
        @Nullable String attestationFormat,
        @Nullable String attestationTrust,
        @Nullable String name,
        @Nullable Instant createdAt,
        @Nullable Instant lastUsedAt,
        @Nullable String seal)
        implements RegisteredCredential {

    /** The longest credential id, in characters: base64url of 1023 bytes. */
    public static final int MAX_ID_CHARS = 1364;

    static final Comparator<CredentialRecord> OLDEST_FIRST = Comparator.comparing(
                    (CredentialRecord it) -> millis(it.createdAt))
            .thenComparing(CredentialRecord::credentialId);
    static final Comparator<CredentialRecord> NEWEST_USE_FIRST = Comparator.comparing(
                    (CredentialRecord it) -> millis(it.lastUsedAt == null ? it.createdAt : it.lastUsedAt))
            .reversed()
            .thenComparing(CredentialRecord::credentialId);

    /** Refuses an id or a sign count that cannot be. */
    public CredentialRecord {
        Objects.requireNonNull(userId, "userId");
        Objects.requireNonNull(publicKey, "publicKey");
        Objects.requireNonNull(origin, "origin");
        if (credentialId.isEmpty() || credentialId.length() > MAX_ID_CHARS) {
            throw new IllegalArgumentException("a credential id has 1 to " + MAX_ID_CHARS + " characters");
        }
        if (signCount < 0 || signCount > 0xffff_ffffL) {
            throw new IllegalArgumentException("a sign count is an unsigned 32-bit number: " + signCount);
        }
        transports = List.copyOf(transports);
    }

    private static long millis(@Nullable Instant time) {
        return time == null ? 0 : time.toEpochMilli();
    }

    /** The same with its key written differently. */
    CredentialRecord withPublicKey(String jwk) {
        return builder(credentialId, userId, jwk, signCount, origin)
                .userHandle(userHandle)
                .transports(transports)
                .backup(backupEligible, backedUp)
                .verification(userVerified, verificationRequired)
                .discoverable(discoverable)
                .aaguid(aaguid)
                .attestation(attestationFormat, attestationTrust)
                .name(name)
                .times(createdAt, lastUsedAt)
                .seal(seal)
                .build();
    }

    /** The five that a login needs; the rest unknown until the builder is told. */
    public static Builder builder(String credentialId, String userId, String publicKey, long signCount, String origin) {
        return new Builder(credentialId, userId, publicKey, signCount, origin);
    }

    /** Collects what is known of a passkey. Not safe for use by several threads. */
    public static final class Builder {
        private final String credentialId;
        private final String userId;
        private final String publicKey;
        private final long signCount;
        private final String origin;
        private @Nullable String userHandle;
        private List<String> transports = List.of();
        private @Nullable Boolean backupEligible;
        private @Nullable Boolean backedUp;
        private @Nullable Boolean userVerified;
        private @Nullable Boolean verificationRequired;
        private @Nullable Boolean discoverable;
        private @Nullable String aaguid;
        private @Nullable String attestationFormat;
        private @Nullable String attestationTrust;
        private @Nullable String name;
        private @Nullable Instant createdAt;
        private @Nullable Instant lastUsedAt;
        private @Nullable String seal;

        private Builder(String credentialId, String userId, String publicKey, long signCount, String origin) {
            this.credentialId = credentialId;
            this.userId = userId;
            this.publicKey = publicKey;
            this.signCount = signCount;
            this.origin = origin;
        }

        /** The {@code user.id} it was created under, base64url. */
        public Builder userHandle(@Nullable String userHandle) {
            this.userHandle = userHandle;
            return this;
        }

        /** How the authenticator can be reached. */
        public Builder transports(List<String> transports) {
            this.transports = transports;
            return this;
        }

        /** The flags BE and BS. */
        public Builder backup(@Nullable Boolean eligible, @Nullable Boolean backedUp) {
            this.backupEligible = eligible;
            this.backedUp = backedUp;
            return this;
        }

        /** Whether the user was verified at registration, and whether that was demanded. */
        public Builder verification(@Nullable Boolean done, @Nullable Boolean required) {
            this.userVerified = done;
            this.verificationRequired = required;
            return this;
        }

        /** Whether it can be offered without its id being known. */
        public Builder discoverable(@Nullable Boolean discoverable) {
            this.discoverable = discoverable;
            return this;
        }

        /** The authenticator's model, as a UUID. */
        public Builder aaguid(@Nullable String aaguid) {
            this.aaguid = aaguid;
            return this;
        }

        /** The attestation statement's format, and what it was worth. */
        public Builder attestation(@Nullable String format, @Nullable String trust) {
            this.attestationFormat = format;
            this.attestationTrust = trust;
            return this;
        }

        /** The user's own word for it. */
        public Builder name(@Nullable String name) {
            this.name = name;
            return this;
        }

        /** When it was registered and when it was last used. */
        public Builder times(@Nullable Instant createdAt, @Nullable Instant lastUsedAt) {
            this.createdAt = createdAt;
            this.lastUsedAt = lastUsedAt;
            return this;
        }

        /** The MAC over what a login trusts. */
        public Builder seal(@Nullable String seal) {
            this.seal = seal;
            return this;
        }

        /** The passkey. */
        public CredentialRecord build() {
            return new CredentialRecord(
                    credentialId,
                    userId,
                    publicKey,
                    signCount,
                    origin,
                    userHandle,
                    transports,
                    backupEligible,
                    backedUp,
                    userVerified,
                    verificationRequired,
                    discoverable,
                    aaguid,
                    attestationFormat,
                    attestationTrust,
                    name,
                    createdAt,
                    lastUsedAt,
                    seal);
        }
    }
}
