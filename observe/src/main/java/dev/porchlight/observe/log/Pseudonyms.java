// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Names for people in logs: always the same for the same identifier, and of no use to whoever lacks the key. Thread-safe.
 *
 * <p>A plain hash would not do, because identifiers can be guessed and hashed in turn.
 */
public final class Pseudonyms {
    private static final String ALGORITHM = "HmacSHA256";

    /** Enough that no two of a billion people share a name, and short enough to read. */
    private static final int BYTES = 12;

    /** One for each thread: to find the algorithm takes longer than to run it. */
    private final ThreadLocal<Mac> macs;

    /** Names made with a key of at least 16 bytes, which is copied. */
    public Pseudonyms(byte[] key) {
        if (key.length < 16) {
            throw new IllegalArgumentException("a key of " + key.length + " bytes can be guessed; use at least 16");
        }
        SecretKeySpec secret = new SecretKeySpec(key, ALGORITHM);
        macs = ThreadLocal.withInitial(() -> mac(secret));
    }

    /** The name for an identifier: sixteen characters of base64url. */
    public String of(String identifier) {
        byte[] name = Arrays.copyOf(
                macs.get().doFinal(String.valueOf((Object) identifier).getBytes(UTF_8)), BYTES);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(name);
    }

    private static Mac mac(SecretKeySpec key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible); // every JDK has it, and the key fits any length
        }
    }
}
