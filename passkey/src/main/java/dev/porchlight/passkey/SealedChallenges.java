// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.Hmac;
import dev.porchlight.passkey.CeremonyCommit.UsedChallenge;
import dev.porchlight.passkey.store.UsedChallenges;
import dev.porchlight.passkey.verify.IssuedChallenge;
import dev.porchlight.passkey.verify.Purpose;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Challenges that carry their own state, authenticated with a secret key. Options store nothing; the commit of a ceremony
 * stores that the challenge was used. Thread-safe.
 *
 * <p>A challenge has 42 bytes, which are 56 characters of base64url without spare bits:
 *
 * <pre>
 * purpose (3) · version (1) · expiry in milliseconds (6) · random (16) · MAC (16)
 * </pre>
 *
 * The MAC is HMAC-SHA256 over the bytes before it, the rpId, and the user id or its absence, truncated to 128 bits. A
 * challenge is therefore valid for one purpose, one user and one relying party until it expires, and only a holder of the
 * key can create one. Its random part identifies it among the used ones. The MAC key is derived from the application's key with
 * its own label. Challenges sealed with a previous key are accepted until they expire.
 */
final class SealedChallenges implements ChallengeKeeper {
    private static final byte[] LABEL = "porchlight sealed challenge 1".getBytes(US_ASCII);
    private static final byte VERSION = 1;
    private static final int PURPOSE_BYTES = 3;
    private static final int EXPIRY_BYTES = 6;
    private static final int RANDOM_AT = PURPOSE_BYTES + 1 + EXPIRY_BYTES;
    private static final int MAC_AT = RANDOM_AT + 16;
    private static final int LENGTH = MAC_AT + 16;
    private static final int CHARS = LENGTH / 3 * 4;
    private static final long EXPIRY_LIMIT = 1L << 8 * EXPIRY_BYTES;
    /** The maximum lifetime of a challenge plus the tolerated clock skew. */
    private static final long MAX_LIFETIME =
            PasskeyConfig.MAX_CHALLENGE_TTL.toMillis() + UsedChallenges.KEPT_AFTER_EXPIRY_MILLIS;

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private final Supplier<List<SecretKeySpec>> keys;
    private final byte[] rpId;
    private final SecureRandom random;

    /**
     * Seals with a key derived from the first secret, and accepts challenges sealed with any of them.
     *
     * @param secrets loaded on first use
     */
    SealedChallenges(Supplier<List<byte[]>> secrets, String rpId, SecureRandom random) {
        this.keys = new Lazy<>(() ->
                secrets.get().stream().map(secret -> Hmac.derive(secret, LABEL)).toList());
        this.rpId = rpId.getBytes(UTF_8);
        this.random = random;
    }

    @Override
    public String issue(@Nullable String userId, Purpose purpose, long expiresAt) {
        if (expiresAt < 0 || expiresAt >= EXPIRY_LIMIT) {
            throw new IllegalArgumentException("a challenge cannot expire at " + expiresAt + ", check the clock");
        }
        byte[] drawn = new byte[MAC_AT - RANDOM_AT];
        random.nextBytes(drawn);
        byte[] content = ByteBuffer.allocate(MAC_AT)
                .put(purpose.prefixBytes())
                .put(VERSION)
                .putShort((short) (expiresAt >>> 32))
                .putInt((int) expiresAt)
                .put(drawn)
                .array();
        byte[] challenge = Arrays.copyOf(content, LENGTH);
        System.arraycopy(mac(keys.get().get(0), content, userId), 0, challenge, MAC_AT, LENGTH - MAC_AT);
        return ENCODER.encodeToString(challenge);
    }

    /** A challenge that expires later than possible comes from a wrong clock and counts as never issued. */
    @Override
    public @Nullable Issued take(@Nullable String userId, String challenge, Instant now) {
        byte[] bytes = challenge.length() == CHARS ? decoded(challenge) : null;
        if (bytes == null || bytes.length != LENGTH || bytes[PURPOSE_BYTES] != VERSION || !isGenuine(bytes, userId)) {
            return null;
        }
        var expiry = ByteBuffer.wrap(bytes, PURPOSE_BYTES + 1, EXPIRY_BYTES);
        long expiresAt = (expiry.getShort() & 0xffffL) << 32 | expiry.getInt() & 0xffff_ffffL;
        long left = expiresAt - now.toEpochMilli();
        if (left > MAX_LIFETIME) {
            return null;
        }
        String id = ENCODER.encodeToString(Arrays.copyOfRange(bytes, RANDOM_AT, MAC_AT));
        return new Issued(
                new IssuedChallenge(challenge, expiresAt), left > 0 ? new UsedChallenge(id, expiresAt) : null);
    }

    @Override
    public boolean isIssued(@Nullable String userId, String challenge, Instant now) {
        Issued issued = take(userId, challenge, now);
        return issued != null && issued.challenge().expiresAt() > now.toEpochMilli() - MAX_LIFETIME;
    }

    private boolean isGenuine(byte[] challenge, @Nullable String userId) {
        byte[] content = Arrays.copyOf(challenge, MAC_AT);
        byte[] presented = Arrays.copyOfRange(challenge, MAC_AT, LENGTH);
        boolean genuine = false;
        for (SecretKeySpec key : keys.get()) {
            genuine |= MessageDigest.isEqual(presented, mac(key, content, userId));
        }
        return genuine;
    }

    /** Each text is preceded by its length, and -1 stands for no user, so that the encoding is unambiguous. */
    private byte[] mac(SecretKeySpec key, byte[] content, @Nullable String userId) {
        byte[] user = userId == null ? new byte[0] : userId.getBytes(UTF_8);
        byte[] input = ByteBuffer.allocate(content.length + 8 + rpId.length + user.length)
                .put(content)
                .putInt(rpId.length)
                .put(rpId)
                .putInt(userId == null ? -1 : user.length)
                .put(user)
                .array();
        return Arrays.copyOf(Hmac.of(key, input), LENGTH - MAC_AT);
    }

    private static byte @Nullable [] decoded(String challenge) {
        try {
            return Base64.getUrlDecoder().decode(challenge);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
