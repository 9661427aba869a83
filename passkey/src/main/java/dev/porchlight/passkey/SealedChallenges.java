// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.passkey.CeremonyCommit.UsedChallenge;
import dev.porchlight.passkey.store.StoredChallenge;
import dev.porchlight.passkey.verify.Purpose;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Challenges that carry what a store would keep, authenticated with a key that only this service has. Nothing is stored
 * for somebody who asks for options; what is remembered is that a challenge was used, and that is written by the
 * ceremony's commit.
 *
 * <p>A challenge has 42 bytes, which are 56 characters without a spare bit:
 *
 * <pre>
 * purpose (3) · version (1) · expiry in milliseconds (6) · random (16) · MAC (16)
 * </pre>
 *
 * The MAC is HMAC-SHA256 over the bytes before it, the rpId, and the user id or its absence, cut to 128 bits. So a
 * challenge is good for one purpose, one user, one relying party and until one moment, and nobody else can make one. Its
 * random part identifies it among those that were used. The key is derived from the application's key with a label of
 * its own; challenges made with a previous key are accepted until they expire.
 */
final class SealedChallenges implements ChallengeKeeper {
    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] LABEL = "porchlight sealed challenge 1".getBytes(US_ASCII);
    private static final byte VERSION = 1;
    private static final int PURPOSE_BYTES = 3;
    private static final int EXPIRY_BYTES = 6;
    private static final int RANDOM_AT = PURPOSE_BYTES + 1 + EXPIRY_BYTES;
    private static final int MAC_AT = RANDOM_AT + 16;
    private static final int LENGTH = MAC_AT + 16;
    private static final int CHARS = LENGTH / 3 * 4;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private final List<SecretKeySpec> keys;
    private final byte[] rpId;
    private final SecureRandom random;

    /** Seals with the first key, and accepts what any of them sealed. */
    SealedChallenges(List<byte[]> keys, String rpId, SecureRandom random) {
        this.keys = keys.stream().map(SealedChallenges::derive).toList();
        this.rpId = rpId.getBytes(UTF_8);
        this.random = random;
    }

    @Override
    public String issue(@Nullable String userId, Purpose purpose, long expiresAt) {
        byte[] drawn = new byte[MAC_AT - RANDOM_AT];
        random.nextBytes(drawn);
        byte[] content = ByteBuffer.allocate(MAC_AT)
                .put(purpose.mark())
                .put(VERSION)
                .putShort((short) (expiresAt >>> 32))
                .putInt((int) expiresAt)
                .put(drawn)
                .array();
        byte[] challenge = Arrays.copyOf(content, LENGTH);
        System.arraycopy(mac(keys.get(0), content, userId), 0, challenge, MAC_AT, LENGTH - MAC_AT);
        return ENCODER.encodeToString(challenge);
    }

    @Override
    public @Nullable Issued answered(@Nullable String userId, String challenge) {
        byte[] bytes = challenge.length() == CHARS ? decoded(challenge) : null;
        if (bytes == null || bytes.length != LENGTH || bytes[PURPOSE_BYTES] != VERSION || !isGenuine(bytes, userId)) {
            return null;
        }
        var expiry = ByteBuffer.wrap(bytes, PURPOSE_BYTES + 1, EXPIRY_BYTES);
        long expiresAt = (expiry.getShort() & 0xffffL) << 32 | expiry.getInt() & 0xffff_ffffL;
        String id = ENCODER.encodeToString(Arrays.copyOfRange(bytes, RANDOM_AT, MAC_AT));
        return new Issued(new StoredChallenge(challenge, expiresAt), new UsedChallenge(id, expiresAt));
    }

    private boolean isGenuine(byte[] challenge, @Nullable String userId) {
        byte[] content = Arrays.copyOf(challenge, MAC_AT);
        byte[] presented = Arrays.copyOfRange(challenge, MAC_AT, LENGTH);
        boolean genuine = false;
        for (SecretKeySpec key : keys) {
            genuine |= MessageDigest.isEqual(presented, mac(key, content, userId));
        }
        return genuine;
    }

    /** Texts stand with their length before them, and no user with a length that no text has. */
    private byte[] mac(SecretKeySpec key, byte[] content, @Nullable String userId) {
        byte[] user = userId == null ? new byte[0] : userId.getBytes(UTF_8);
        byte[] input = ByteBuffer.allocate(content.length + 8 + rpId.length + user.length)
                .put(content)
                .putInt(rpId.length)
                .put(rpId)
                .putInt(userId == null ? -1 : user.length)
                .put(user)
                .array();
        return Arrays.copyOf(hmac(key, input), LENGTH - MAC_AT);
    }

    private static byte @Nullable [] decoded(String challenge) {
        try {
            return Base64.getUrlDecoder().decode(challenge);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static SecretKeySpec derive(byte[] key) {
        return new SecretKeySpec(hmac(new SecretKeySpec(key, ALGORITHM), LABEL), ALGORITHM);
    }

    private static byte[] hmac(SecretKeySpec key, byte[] input) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(input);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
