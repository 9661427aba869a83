// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keyed pseudonyms for users in logs: equal for equal identifiers, and useless without the key. Thread-safe.
 *
 * <p>A plain hash is not enough, because an attacker can hash guessed identifiers.
 */
public final class Pseudonyms {
    private static final String ALGORITHM = "HmacSHA256";

    /** Long enough that no two of a billion users share a pseudonym, and short enough to read. */
    private static final int BYTES = 12;

    /** Cloned for each pseudonym: looking the algorithm up takes longer than running it. */
    private final Mac keyed;

    private final SecretKeySpec key;

    /** Uses a key of at least 16 bytes, which is copied. */
    public Pseudonyms(byte[] key) {
        if (key.length < 16) {
            throw new IllegalArgumentException("a key of " + key.length + " bytes can be guessed; use at least 16");
        }
        this.key = new SecretKeySpec(key, ALGORITHM);
        keyed = mac();
    }

    /** Returns the pseudonym of an identifier: sixteen base64url characters. */
    public String of(String identifier) {
        byte[] name = copy().doFinal(String.valueOf((Object) identifier).getBytes(UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(name, BYTES));
    }

    private Mac copy() {
        try {
            return (Mac) keyed.clone();
        } catch (CloneNotSupportedException e) { // possible with third-party providers
            return mac();
        }
    }

    private Mac mac() {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible); // every JDK has the algorithm and accepts keys of any length
        }
    }
}
