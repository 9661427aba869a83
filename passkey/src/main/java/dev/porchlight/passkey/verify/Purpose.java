// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.base.Bytes;
import java.util.Base64;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a challenge was issued for, to be read from its first four characters: {@code reg_}, {@code cnd_}, {@code get_}
 * or {@code any_}.
 *
 * <p>A challenge store keeps a string and a time, so what a ceremony must still know when the answer comes has to be in
 * the string. That is safe: an answer counts only if the store holds the very string that was issued, so nobody but the
 * issuer chooses these characters; and the 232 random bits after them are far more than the 128 the specification asks
 * for. Nothing else needs to be kept: user verification and origins are configuration, and the allowed credentials are
 * the user's own, whichever they are when the answer comes.
 *
 * <p>Four characters of base64url are three bytes, so a challenge is still 32 bytes and its text canonical.
 */
public enum Purpose {
    /** A registration that the user asked for. */
    REGISTRATION("reg_", "webauthn.create", "a new passkey"),
    /** A registration that the browser may complete by itself after another sign-in ("conditional create"). */
    CONDITIONAL_REGISTRATION("cnd_", "webauthn.create", "a new passkey, made by the browser itself"),
    /** An authentication of a user who said who he is. */
    AUTHENTICATION("get_", "webauthn.get", "a sign-in by user name"),
    /** An authentication of whoever answers ("usernameless"). */
    DISCOVERY("any_", "webauthn.get", "a sign-in without a user name");

    private static final int RANDOM_BYTES = 29;

    private final String prefix;
    private final String type;
    private final String description;

    Purpose(String prefix, String type, String description) {
        this.prefix = prefix;
        this.type = type;
        this.description = description;
    }

    /** A fresh challenge for this purpose, in base64url. The generator must be one for secrets. */
    public String challenge(RandomGenerator random) {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return prefix + Bytes.copyOf(bytes).base64Url();
    }

    /** The three bytes that a challenge for this purpose begins with. */
    public byte[] mark() {
        return Base64.getUrlDecoder().decode(prefix);
    }

    /** What a challenge was issued for, or null if it is not one of ours: an application may fill the store itself. */
    public static @Nullable Purpose of(String challenge) {
        for (Purpose purpose : values()) {
            if (challenge.startsWith(purpose.prefix)) {
                return purpose;
            }
        }
        return null;
    }

    /** The purpose in words for operators. */
    String description() {
        return description;
    }

    /** The type of the client data that answers such a challenge. */
    String type() {
        return type;
    }

    /** Whether an answer expected for this purpose may be one to a challenge issued for the other. */
    boolean admits(Purpose issued) {
        return issued == this || this == REGISTRATION && issued == CONDITIONAL_REGISTRATION;
    }
}
