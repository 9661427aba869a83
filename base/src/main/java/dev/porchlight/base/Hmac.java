// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256, and keys derived with it. */
public final class Hmac {
    private static final String ALGORITHM = "HmacSHA256";

    /** Cached per thread, because the provider lookup takes longer than the computation. */
    private static final ThreadLocal<Mac> CACHED = ThreadLocal.withInitial(Hmac::find);

    private Hmac() {}

    public static SecretKeySpec key(byte[] secret) {
        return new SecretKeySpec(secret, ALGORITHM);
    }

    /** Derives a key for one use, which reveals nothing about the secret or the keys with other labels. */
    public static SecretKeySpec derive(byte[] secret, byte[] label) {
        return key(of(key(secret), label));
    }

    public static byte[] of(SecretKeySpec key, byte[] input) {
        return own(key).doFinal(input);
    }

    /** Returns the calling thread's instance, until that thread uses this class again. */
    public static Mac own(SecretKeySpec key) {
        return init(CACHED.get(), key);
    }

    /** Returns a new instance, which is not thread-safe. */
    public static Mac with(SecretKeySpec key) {
        return init(find(), key);
    }

    private static Mac init(Mac mac, SecretKeySpec key) {
        try {
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(ALGORITHM + " accepts any key", e);
        }
    }

    private static Mac find() {
        try {
            return Mac.getInstance(ALGORITHM);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
