// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.store;

import dev.porchlight.passkey.verify.RegisteredCredential;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stored passkey: the credential record of WebAuthn and its owner. Immutable.
 *
 * <p>A login needs only the first five values. The others may be unknown (null or empty), as for imported passkeys; a check that
 * needs an unknown value does not apply to that passkey. The exception is the user handle: a login without a user id is
 * refused if the handle is unknown, since only the handle identifies the user then (section 7.2, step 6). Imports should
 * include the handles if possible.
 *
 * @param credentialId base64url without padding, at most 1364 characters (1023 bytes)
 * @param userId the owner
 * @param publicKey JWK JSON with exactly {@code kty}, {@code crv}, {@code x} and {@code y}, or {@code kty}, {@code n} and
 *     {@code e}
 * @param signCount the greatest sign count so far, 0 to 2^32-1
 * @param origin the origin of the registration
 * @param userHandle the {@code user.id} of the registration, in base64url
 * @param transports the transports of the authenticator, as reported at registration
 * @param backupEligible whether it may be synced (BE)
 * @param backedUp whether it was synced at its last use (BS)
 * @param userVerified whether the user was verified at registration (UV)
 * @param verificationRequired whether verification was required at registration, and therefore stays required
 * @param discoverable whether the credential is discoverable (credProps.rk)
 * @param aaguid the authenticator model as a UUID, unauthenticated unless attested
 * @param attestationFormat the attestation statement's format
 * @param attestationTrust the result of the trust assessment at registration
 * @param name the name chosen by the user
 * @param createdAt the time of the registration
 * @param lastUsedAt the time of the last login
 * @param seal the MAC over the values that a login trusts, if rows are sealed
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

    /** Refuses an impossible id or sign count. */
    public CredentialRecord {
        Objects.requireNonNull(userId, "userId");
        Objects.requireNonNull(publicKey, "publicKey");
        Objects.requireNonNull(origin, "origin");
        if (credentialId.isEmpty() || credentialId.length() > MAX_ID_CHARS) {
            throw new IllegalArgumentException("a credential id must have 1 to " + MAX_ID_CHARS + " characters");
        }
        if (signCount < 0 || signCount > 0xffff_ffffL) {
            throw new IllegalArgumentException("a sign count must be an unsigned 32-bit number: " + signCount);
        }
        transports = List.copyOf(transports);
    }

    private static long millis(@Nullable Instant time) {
        return time == null ? 0 : time.toEpochMilli();
    }

    /** Returns a copy with another encoding of the key. */
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

    /** Returns a builder with the five values that a login needs. The others are unknown until set. */
    public static Builder builder(String credentialId, String userId, String publicKey, long signCount, String origin) {
        return new Builder(credentialId, userId, publicKey, signCount, origin);
    }

    /** Builds a {@link CredentialRecord}. Not thread-safe. */
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

        /** Sets the {@code user.id} of the registration, in base64url. */
        public Builder userHandle(@Nullable String userHandle) {
            this.userHandle = userHandle;
            return this;
        }

        /** Sets the transports of the authenticator. */
        public Builder transports(List<String> transports) {
            this.transports = transports;
            return this;
        }

        /** Sets the flags BE and BS. */
        public Builder backup(@Nullable Boolean eligible, @Nullable Boolean backedUp) {
            this.backupEligible = eligible;
            this.backedUp = backedUp;
            return this;
        }

        /** Sets whether the user was verified at registration, and whether that was required. */
        public Builder verification(@Nullable Boolean done, @Nullable Boolean required) {
            this.userVerified = done;
            this.verificationRequired = required;
            return this;
        }

        /** Sets whether the credential is discoverable. */
        public Builder discoverable(@Nullable Boolean discoverable) {
            this.discoverable = discoverable;
            return this;
        }

        /** Sets the authenticator model, as a UUID. */
        public Builder aaguid(@Nullable String aaguid) {
            this.aaguid = aaguid;
            return this;
        }

        /** Sets the attestation statement format and the result of the trust assessment. */
        public Builder attestation(@Nullable String format, @Nullable String trust) {
            this.attestationFormat = format;
            this.attestationTrust = trust;
            return this;
        }

        /** Sets the name chosen by the user. */
        public Builder name(@Nullable String name) {
            this.name = name;
            return this;
        }

        /** Sets the times of the registration and of the last login. */
        public Builder times(@Nullable Instant createdAt, @Nullable Instant lastUsedAt) {
            this.createdAt = createdAt;
            this.lastUsedAt = lastUsedAt;
            return this;
        }

        /** Sets the MAC over the values that a login trusts. */
        public Builder seal(@Nullable String seal) {
            this.seal = seal;
            return this;
        }

        /** Returns the passkey. */
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
