// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The current secret and, during a rotation, the other accepted one. Immutable. */
public final class SecretRotation {
    private final List<DerivedKeys> keys;

    public SecretRotation(String secret, Optional<String> previous) {
        keys = Stream.concat(Stream.of(secret), previous.stream())
                .map(DerivedKeys::new)
                .toList();
    }

    /** One secret that is not being rotated. */
    public static SecretRotation none(String secret) {
        return new SecretRotation(secret, Optional.empty());
    }

    /** Keys derived from the current secret. */
    public DerivedKeys current() {
        return keys.get(0);
    }

    /** The keys that seal signing keys. */
    public List<byte[]> signingKeySeal() {
        return forPurpose("seal signing keys");
    }

    /** Keys for a purpose, the current one first. */
    public List<byte[]> forPurpose(String purpose) {
        return keys.stream().map(each -> each.forPurpose(purpose)).toList();
    }
}
