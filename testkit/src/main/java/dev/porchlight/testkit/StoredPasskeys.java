// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

import dev.porchlight.testkit.key.CredentialKey;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.response.Credential;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Reads and writes passkeys with their private keys as JSON. */
final class StoredPasskeys {
    private StoredPasskeys() {}

    static String write(List<Credential> credentials) {
        List<JsonObject> passkeys =
                credentials.stream().map(StoredPasskeys::describe).toList();
        return new JsonObject().put("passkeys", passkeys).toString();
    }

    /** Parses the passkeys, each for {@link #read}. */
    static List<JsonObject> parse(String json) {
        return JsonObject.parse(json).objects("passkeys");
    }

    private static JsonObject describe(Credential credential) {
        CredentialKey key = credential.key();
        return new JsonObject()
                .put("id", credential.id())
                .put("rpId", credential.rpId())
                .put("userHandle", credential.userHandle())
                .put("userName", credential.userName())
                .put("discoverable", credential.discoverable())
                .put("algorithm", key.algorithm().name())
                .put("privateKey", Octets.base64Url(key.privateKey().getEncoded()))
                .put("publicKey", Octets.base64Url(key.publicKey().getEncoded()))
                .put("signCount", credential.lastCount());
    }

    /** Reads a passkey. Its sign count, if any, continues. */
    static Credential read(JsonObject stored, SecureRandom random, @Nullable AtomicLong counter) {
        if (counter != null) {
            counter.accumulateAndGet(stored.integer("signCount"), Math::max);
        }
        KeyAlgorithm algorithm = KeyAlgorithm.valueOf(stored.string("algorithm"));
        return new Credential(
                stored.string("id"),
                stored.string("rpId"),
                stored.has("userHandle") ? stored.string("userHandle") : null,
                stored.string("userName"),
                stored.flag("discoverable"),
                algorithm.restore(stored.octets("privateKey"), stored.octets("publicKey"), random),
                counter);
    }
}
