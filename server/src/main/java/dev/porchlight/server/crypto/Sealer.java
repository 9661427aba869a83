// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.crypto;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and authenticates small texts with AES-256-GCM. Each is bound to its storage location, so that a row cannot be
 * moved. Thread-safe.
 */
public final class Sealer {
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    /** The current key, then the replaced ones. */
    private final List<SecretKey> keys;

    private final SecureRandom random;
    private final ThreadLocal<Cipher> ciphers = ThreadLocal.withInitial(Sealer::newCipher);

    /** Creates a sealer that seals with the first key and opens with any of them. */
    public Sealer(List<byte[]> keys, SecureRandom random) {
        this.keys = keys.stream()
                .<SecretKey>map(key -> new SecretKeySpec(key, "AES"))
                .toList();
        this.random = random;
    }

    public String seal(String content, String place) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, keys.get(0), nonce, place)
                    .doFinal(content.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(ByteBuffer.allocate(NONCE_BYTES + sealed.length)
                            .put(nonce)
                            .put(sealed)
                            .array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + CIPHER, e);
        }
    }

    /** Returns the content, or null if it was sealed under another key or for another place, or was changed. */
    public @Nullable String open(String sealed, String place) {
        for (SecretKey key : keys) {
            String content = open(key, sealed, place);
            if (content != null) {
                return content;
            }
        }
        return null;
    }

    /** Seals the content again under the current key; returns null if it is already, or cannot be opened. */
    public @Nullable String resealed(String sealed, String place) {
        String content = open(keys.get(0), sealed, place) == null ? open(sealed, place) : null;
        return content == null ? null : seal(content, place);
    }

    private @Nullable String open(SecretKey key, String sealed, String place) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(sealed);
            if (bytes.length < NONCE_BYTES + TAG_BITS / 8) {
                return null;
            }
            byte[] nonce = Arrays.copyOf(bytes, NONCE_BYTES);
            byte[] content = cipher(Cipher.DECRYPT_MODE, key, nonce, place)
                    .doFinal(bytes, NONCE_BYTES, bytes.length - NONCE_BYTES);
            return new String(content, StandardCharsets.UTF_8);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return null;
        }
    }

    private Cipher cipher(int mode, SecretKey key, byte[] nonce, String place) throws GeneralSecurityException {
        Cipher cipher = ciphers.get();
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(place.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    /** Cached per thread, because looking it up takes longer than using it. */
    private static Cipher newCipher() {
        try {
            return Cipher.getInstance(CIPHER);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + CIPHER, e);
        }
    }
}
