// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.passkey.data.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Passkeys for users who have none, so that asking for options does not tell who has an account.
 *
 * <p>They are a keyed function of the user id: the same each time, different for each user, and not to be told from
 * random ids without the key. Their number, their lengths and their transports are those of common authenticators.
 * Thread-safe.
 */
final class Decoys {
    /** An authenticator as browsers describe it: the length of its ids and how it is reached. */
    private record Kind(int idBytes, List<String> transports) {}

    /** Phones and password managers, laptops, security keys; the more common ones more than once. */
    private static final List<Kind> KINDS = List.of(
            new Kind(20, List.of("hybrid", "internal")),
            new Kind(20, List.of("hybrid", "internal")),
            new Kind(16, List.of("hybrid", "internal")),
            new Kind(32, List.of("hybrid", "internal")),
            new Kind(32, List.of("internal")),
            new Kind(32, List.of("internal")),
            new Kind(48, List.of("nfc", "usb")),
            new Kind(64, List.of("nfc", "usb")));

    private final Supplier<SecretKeySpec> key;

    /** The key is asked for when it is first needed. */
    Decoys(Supplier<SecretKeySpec> key) {
        this.key = new Lazy<>(key);
    }

    List<CredentialDescriptor> of(String userId) {
        Mac mac = Hmac.with(key.get());
        int draw = derive(mac, userId, 0, 1).at(0);
        // Two in three users have one passkey, most of the others two.
        int count = draw < 170 ? 1 : draw < 240 ? 2 : 3;
        List<CredentialDescriptor> decoys = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            Kind kind = KINDS.get(derive(mac, userId, 2 * i, 1).at(0) % KINDS.size());
            Bytes id = derive(mac, userId, 2 * i + 1, kind.idBytes());
            decoys.add(new CredentialDescriptor(id.base64Url(), kind.transports()));
        }
        return decoys;
    }

    /** So many bytes that belong to this user and this label. */
    private static Bytes derive(Mac mac, String userId, int label, int length) {
        Bytes derived = Bytes.EMPTY;
        for (int block = 0; derived.size() < length; block++) {
            mac.update(ByteBuffer.allocate(8).putInt(label).putInt(block).array());
            derived = derived.concat(Bytes.copyOf(mac.doFinal(userId.getBytes(UTF_8))));
        }
        return derived.slice(0, length);
    }
}
