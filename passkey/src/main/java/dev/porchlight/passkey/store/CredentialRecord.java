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
 * @param seal the MAC over the values that a login trusts, if rows are sealed
 */
public record CredentialRecord(
        String credentialId,
        String userId,
        String publicKey,
        long signCount,
        String origin,
        @Nullable String userHandle,
        Flags flags,
        Authenticator authenticator,
        Details details,
        @Nullable String seal)
        implements RegisteredCredential {

    /** The longest credential id, in characters: base64url of 1023 bytes. */
    public static final int MAX_ID_CHARS = 1364;

    static final Comparator<CredentialRecord> OLDEST_FIRST = Comparator.comparing(
                    (CredentialRecord it) -> millis(it.details.createdAt))
            .thenComparing(CredentialRecord::credentialId);
    static final Comparator<CredentialRecord> NEWEST_USE_FIRST = Comparator.comparing(
                    (CredentialRecord it) -> millis(it.details.lastUse()))
            .reversed()
            .thenComparing(CredentialRecord::credentialId);

    /**
     * The flags of the registration and, for the backup, of the last login. Null is unknown.
     *
     * @param backupEligible whether it may be synced (BE)
     * @param backedUp whether it was synced at its last use (BS)
     * @param userVerified whether the user was verified at registration (UV)
     * @param verificationRequired whether verification was required at registration, and therefore stays required
     * @param discoverable whether the credential is discoverable (credProps.rk)
     */
    public record Flags(
            @Nullable Boolean backupEligible,
            @Nullable Boolean backedUp,
            @Nullable Boolean userVerified,
            @Nullable Boolean verificationRequired,
            @Nullable Boolean discoverable) {
        /** No flag is known. */
        public static final Flags UNKNOWN = new Flags(null, null, null, null, null);
    }

    /**
     * The authenticator that holds the passkey.
     *
     * @param transports its transports, as reported at registration
     * @param aaguid its model as a UUID, unauthenticated unless attested
     * @param attestationFormat the attestation statement's format
     * @param attestationTrust the result of the trust assessment at registration: {@link #TRUSTED}, {@link #IMPORTED} or
     *     a doubt
     */
    public record Authenticator(
            List<String> transports,
            @Nullable String aaguid,
            @Nullable String attestationFormat,
            @Nullable String attestationTrust) {
        /** The attestation was verified here, and leads to a trust anchor. */
        public static final String TRUSTED = "trusted";

        /** Another service trusted the attestation. It is not available any more, so it cannot be verified here. */
        public static final String IMPORTED = "imported";

        /** Nothing is known. */
        public static final Authenticator UNKNOWN = new Authenticator(List.of(), null, null, null);

        public Authenticator {
            transports = List.copyOf(transports);
        }
    }

    /** The name chosen by the user, and the times of the registration and of the last login. */
    public record Details(
            @Nullable String name,
            @Nullable Instant createdAt,
            @Nullable Instant lastUsedAt) {
        /** Nothing is known. */
        public static final Details UNKNOWN = new Details(null, null, null);

        private @Nullable Instant lastUse() {
            return lastUsedAt == null ? createdAt : lastUsedAt;
        }
    }

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
    }

    /** Returns a passkey with the five values that a login needs. The others are unknown. */
    public static CredentialRecord of(
            String credentialId, String userId, String publicKey, long signCount, String origin) {
        return new CredentialRecord(
                credentialId,
                userId,
                publicKey,
                signCount,
                origin,
                null,
                Flags.UNKNOWN,
                Authenticator.UNKNOWN,
                Details.UNKNOWN,
                null);
    }

    @Override
    public @Nullable Boolean backupEligible() {
        return flags.backupEligible;
    }

    @Override
    public @Nullable String aaguid() {
        return authenticator.aaguid();
    }

    @Override
    public boolean isU2f() {
        return "fido-u2f".equals(authenticator.attestationFormat());
    }

    @Override
    public @Nullable Boolean verificationRequired() {
        return flags.verificationRequired;
    }

    /** Returns a copy with this user handle. */
    public CredentialRecord withUserHandle(@Nullable String handle) {
        return new CredentialRecord(
                credentialId, userId, publicKey, signCount, origin, handle, flags, authenticator, details, seal);
    }

    /** Returns a copy with these flags. */
    public CredentialRecord withFlags(Flags known) {
        return new CredentialRecord(
                credentialId, userId, publicKey, signCount, origin, userHandle, known, authenticator, details, seal);
    }

    /** Returns a copy with this authenticator. */
    public CredentialRecord withAuthenticator(Authenticator known) {
        return new CredentialRecord(
                credentialId, userId, publicKey, signCount, origin, userHandle, flags, known, details, seal);
    }

    /** Returns a copy with this name and these times. */
    public CredentialRecord withDetails(Details known) {
        return new CredentialRecord(
                credentialId, userId, publicKey, signCount, origin, userHandle, flags, authenticator, known, seal);
    }

    /** Returns a copy with this seal. */
    public CredentialRecord withSeal(@Nullable String mac) {
        return new CredentialRecord(
                credentialId, userId, publicKey, signCount, origin, userHandle, flags, authenticator, details, mac);
    }

    /** Returns a copy with another encoding of the key. */
    CredentialRecord withPublicKey(String jwk) {
        return new CredentialRecord(
                credentialId, userId, jwk, signCount, origin, userHandle, flags, authenticator, details, seal);
    }

    private static long millis(@Nullable Instant time) {
        return time == null ? 0 : time.toEpochMilli();
    }
}
