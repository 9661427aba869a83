// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256, and keys derived with it. */
final class Hmac {
    private static final String ALGORITHM = "HmacSHA256";

    private Hmac() {}

    static SecretKeySpec key(byte[] secret) {
        return new SecretKeySpec(secret, ALGORITHM);
    }

    /** A key for one use, which tells nothing of the secret or of the keys with other labels. */
    static SecretKeySpec derive(byte[] secret, byte[] label) {
        return key(of(key(secret), label));
    }

    static byte[] of(SecretKeySpec key, byte[] input) {
        return with(key).doFinal(input);
    }

    static Mac with(SecretKeySpec key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
