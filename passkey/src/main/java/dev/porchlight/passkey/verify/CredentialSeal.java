// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.Bytes;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Binds a passkey's row together under a key that the database does not have, so that one who can write to the database
 * and do no more cannot give a passkey to another user or put another key in its place.
 *
 * <p>HMAC-SHA256 over what a login trusts and no login changes: the id, the user, the key, the origin, the user handle and
 * whether verification was required. The sign count, the backup flags, the name and the times are not in it. It does not
 * tell that a row was removed, or that an old row was put back. Thread-safe.
 */
public final class CredentialSeal {
    private static final int KEY_BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";
    private static final String LABEL = "porchlight passkey row 1";

    private final SecretKeySpec key;

    /** Seals under a copy of this key. */
    public CredentialSeal(byte[] key) {
        if (key.length < KEY_BYTES) {
            throw new IllegalArgumentException("the key of a seal has at least " + KEY_BYTES + " bytes");
        }
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /** The seal of a passkey, base64url; one it may have already makes no difference. */
    public String of(RegisteredCredential credential) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            Boolean verification = credential.verificationRequired();
            add(mac, LABEL);
            add(mac, credential.credentialId());
            add(mac, credential.userId());
            add(mac, credential.publicKey());
            add(mac, credential.origin());
            add(mac, credential.userHandle());
            add(mac, verification == null ? null : verification.toString());
            return Bytes.copyOf(mac.doFinal()).base64Url();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /** Whether the passkey has a seal and is what was sealed. */
    public boolean holds(RegisteredCredential credential) {
        String seal = credential.seal();
        return seal != null && Bytes.ofUtf8(seal).equalsInConstantTime(Bytes.ofUtf8(of(credential)));
    }

    /** With its length before it, and nothing at all told from an empty text, so that no two rows run together alike. */
    private static void add(Mac mac, @Nullable String text) {
        byte[] bytes = text == null ? new byte[0] : text.getBytes(UTF_8);
        mac.update(
                ByteBuffer.allocate(4).putInt(text == null ? -1 : bytes.length).array());
        mac.update(bytes);
    }
}
