// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Names for users in logs: the same for the same identifier, and useless without the key. Thread-safe.
 *
 * <p>A plain hash is not enough, because identifiers can be guessed and hashed in turn.
 */
public final class Pseudonyms {
    private static final String ALGORITHM = "HmacSHA256";

    /** Enough that no two of a billion users share a name, and short enough to read. */
    private static final int BYTES = 12;

    /** Cloned for each name: finding the algorithm takes longer than running it. */
    private final Mac keyed;

    private final SecretKeySpec key;

    /** Creates names with a key of at least 16 bytes, which is copied. */
    public Pseudonyms(byte[] key) {
        if (key.length < 16) {
            throw new IllegalArgumentException("a key of " + key.length + " bytes can be guessed; use at least 16");
        }
        this.key = new SecretKeySpec(key, ALGORITHM);
        keyed = mac();
    }

    /** The name for an identifier: sixteen characters of base64url. */
    public String of(String identifier) {
        byte[] name = copy().doFinal(String.valueOf((Object) identifier).getBytes(UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(name, BYTES));
    }

    private Mac copy() {
        try {
            return (Mac) keyed.clone();
        } catch (CloneNotSupportedException e) { // of a provider that is not the JDK's
            return mac();
        }
    }

    private Mac mac() {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible); // every JDK has it, and accepts keys of any length
        }
    }
}
