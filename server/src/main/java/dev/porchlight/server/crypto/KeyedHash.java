// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.crypto;

import java.security.GeneralSecurityException;
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
