// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.crypto;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.Hmac;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 with one key. Thread-safe: each thread caches a {@link Mac}, whose lookup takes longer than a hash. */
public final class KeyedHash {
    private final ThreadLocal<Mac> macs;

    public KeyedHash(byte[] key) {
        SecretKeySpec secret = Hmac.key(key);
        macs = ThreadLocal.withInitial(() -> Hmac.with(secret));
    }

    public byte[] of(byte[] data) {
        return macs.get().doFinal(data);
    }

    /** Hashes the UTF-8 of a text, and encodes the hash in base64url. */
    public String base64Of(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(of(text.getBytes(UTF_8)));
    }
}
