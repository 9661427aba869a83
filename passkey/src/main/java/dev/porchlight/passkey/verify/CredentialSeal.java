// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.Hmac;
import java.nio.ByteBuffer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates a passkey's row with a key that is not in the database, so that an attacker who can only write to the
 * database cannot assign a passkey to another user or replace its public key.
 *
 * <p>HMAC-SHA256 over the values that a login trusts and never changes: the id, the user, the key, the origin, the user handle
 * and the verification requirement. The sign count, the backup flags, the name and the times are not covered. A row that was
 * removed, or replaced by an older version, is not detected. Thread-safe.
 */
public final class CredentialSeal {
    private static final int KEY_BYTES = 32;
    private static final String LABEL = "porchlight passkey row 1";

    private final SecretKeySpec key;

    public CredentialSeal(byte[] key) {
        if (key.length < KEY_BYTES) {
            throw new IllegalArgumentException("the key of a seal must have at least " + KEY_BYTES + " bytes");
        }
        this.key = Hmac.key(key);
    }

    /** Computes the seal of a passkey, in base64url. An existing seal is ignored. */
    public String of(RegisteredCredential credential) {
        Mac mac = Hmac.with(key);
        Boolean verification = credential.verificationRequired();
        add(mac, LABEL);
        add(mac, credential.credentialId());
        add(mac, credential.userId());
        add(mac, credential.publicKey());
        add(mac, credential.origin());
        add(mac, credential.userHandle());
        add(mac, verification == null ? null : verification.toString());
        return Bytes.copyOf(mac.doFinal()).base64Url();
    }

    public boolean holds(RegisteredCredential credential) {
        String seal = credential.seal();
        return seal != null && Bytes.ofUtf8(seal).equalsInConstantTime(Bytes.ofUtf8(of(credential)));
    }

    /** Prefixed with its length, -1 for null, so that the encoding is unambiguous. */
    private static void add(Mac mac, @Nullable String text) {
        byte[] bytes = text == null ? new byte[0] : text.getBytes(UTF_8);
        mac.update(
                ByteBuffer.allocate(4).putInt(text == null ? -1 : bytes.length).array());
        mac.update(bytes);
    }
}
