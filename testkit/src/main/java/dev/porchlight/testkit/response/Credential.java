// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.response;

import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.wire.Octets;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A credential of an authenticator. Id and user handle are base64url.
 *
 * @param counter counts signatures; shared if the authenticator counts globally, null if it does not count
 */
public record Credential(
        String id,
        String rpId,
        @Nullable String userHandle,
        String userName,
        boolean discoverable,
        CredentialKey key,
        @Nullable AtomicLong counter) {
    public byte[] idOctets() {
        return Octets.fromBase64Url(id);
    }

    public Credential withId(String other) {
        return new Credential(other, rpId, userHandle, userName, discoverable, key, counter);
    }

    public Credential withUserHandle(@Nullable String other) {
        return new Credential(id, rpId, other, userName, discoverable, key, counter);
    }

    public Credential withKey(CredentialKey other) {
        return new Credential(id, rpId, userHandle, userName, discoverable, other, counter);
    }

    public long nextCount() {
        return counter == null ? 0 : counter.incrementAndGet();
    }

    public long lastCount() {
        return counter == null ? 0 : counter.get();
    }
}
