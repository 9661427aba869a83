// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.server.crypto.KeyedHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keys derived from the configured secret with HKDF-SHA256 (RFC 5869), one per purpose, so that a key for one purpose
 * is useless for another. Immutable.
 */
public final class DerivedKeys {
    private static final byte[] SALT = "porchlight session secret v1".getBytes(StandardCharsets.UTF_8);

    private final KeyedHash extracted;

    public DerivedKeys(String secret) {
        byte[] material = secret.getBytes(StandardCharsets.UTF_8);
        if (material.length < 32) {
            throw new IllegalArgumentException(
                    "the session secret must have at least 32 bytes, not " + material.length);
        }
        extracted = new KeyedHash(new KeyedHash(SALT).of(material));
    }

    /** The 256-bit key for a purpose; the same purpose gives the same key. */
    public byte[] forPurpose(String purpose) {
        byte[] info = purpose.getBytes(StandardCharsets.UTF_8);
        byte[] block = Arrays.copyOf(info, info.length + 1);
        block[info.length] = 1; // a 256-bit key is the first block of the expansion
        return extracted.of(block);
    }
}
