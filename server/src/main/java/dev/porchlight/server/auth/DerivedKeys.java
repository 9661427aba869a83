// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.server.crypto.KeyedHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Keys derived from the configured secret with HKDF-SHA256 (RFC 5869), one per purpose, so that a key for one purpose
 * is useless for another. During a rotation, there is another accepted secret. Immutable.
 */
public final class DerivedKeys {
    private static final byte[] SALT = "porchlight session secret v1".getBytes(StandardCharsets.UTF_8);

    /** For each secret, the current one first. */
    private final List<KeyedHash> extracted;

    /** Keys of one secret that is not being rotated. */
    public DerivedKeys(String secret) {
        this(secret, Optional.empty());
    }

    public DerivedKeys(String secret, Optional<String> previous) {
        extracted = Stream.concat(Stream.of(secret), previous.stream())
                .map(DerivedKeys::extract)
                .toList();
    }

    private static KeyedHash extract(String secret) {
        byte[] material = secret.getBytes(StandardCharsets.UTF_8);
        if (material.length < 32) {
            throw new IllegalArgumentException(
                    "the session secret must have at least 32 bytes, not " + material.length);
        }
        return new KeyedHash(new KeyedHash(SALT).of(material));
    }

    /** The 256-bit key for a purpose, of the current secret; the same purpose gives the same key. */
    public byte[] forPurpose(String purpose) {
        return allForPurpose(purpose).get(0);
    }

    /** The keys for a purpose, of all accepted secrets, the current one first. */
    public List<byte[]> allForPurpose(String purpose) {
        byte[] info = purpose.getBytes(StandardCharsets.UTF_8);
        byte[] block = Arrays.copyOf(info, info.length + 1);
        block[info.length] = 1; // a 256-bit key is the first block of the expansion
        return extracted.stream().map(secret -> secret.of(block)).toList();
    }

    /** The keys that seal signing keys. */
    public List<byte[]> signingKeySeal() {
        return allForPurpose("seal signing keys");
    }
}
