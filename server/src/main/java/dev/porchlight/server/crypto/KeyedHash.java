// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.crypto;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 with one key. Thread-safe: each thread caches a {@link Mac}, whose lookup takes longer than a hash. */
public final class KeyedHash {
    private static final String ALGORITHM = "HmacSHA256";

    private final ThreadLocal<Mac> macs;

    public KeyedHash(byte[] key) {
        SecretKeySpec secret = new SecretKeySpec(key, ALGORITHM);
        macs = ThreadLocal.withInitial(() -> mac(secret));
    }

    public byte[] of(byte[] data) {
        return macs.get().doFinal(data);
    }

    /** Hashes the UTF-8 of a text, and encodes the hash in base64url. */
    public String base64Of(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(of(text.getBytes(UTF_8)));
    }

    private static Mac mac(SecretKeySpec key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }
}
