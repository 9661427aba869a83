// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256, and keys derived with it. */
final class Hmac {
    private static final String ALGORITHM = "HmacSHA256";

    /** For a thread to keep: to find it takes longer than to use it. */
    private static final ThreadLocal<Mac> KEPT = ThreadLocal.withInitial(Hmac::find);

    private Hmac() {}

    static SecretKeySpec key(byte[] secret) {
        return new SecretKeySpec(secret, ALGORITHM);
    }

    /** A key for one use, which tells nothing of the secret or of the keys with other labels. */
    static SecretKeySpec derive(byte[] secret, byte[] label) {
        return key(of(key(secret), label));
    }

    static byte[] of(SecretKeySpec key, byte[] input) {
        return init(KEPT.get(), key).doFinal(input);
    }

    /** One of the caller's own, to be fed in parts. */
    static Mac with(SecretKeySpec key) {
        return init(find(), key);
    }

    private static Mac init(Mac mac, SecretKeySpec key) {
        try {
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(ALGORITHM + " takes any key", e);
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
