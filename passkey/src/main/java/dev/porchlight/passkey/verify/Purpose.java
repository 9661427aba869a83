// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.base.Bytes;
import java.util.Base64;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The purpose of a challenge, encoded in its first four characters: {@code reg_}, {@code cnd_}, {@code get_} or {@code
 * any_}.
 *
 * <p>A challenge store keeps a string and a time, so the state of a ceremony must be in the string. That is safe: a response is
 * only accepted if the store holds exactly the issued string, so clients cannot choose these characters, and the 232 random
 * bits after them exceed the 128 bits that the specification requires. No other state is needed: user verification and
 * origins are configuration, and the allowed credentials are the user's credentials at the time of the response.
 *
 * <p>Four characters of base64url are three bytes, so a challenge is still 32 bytes and its text canonical.
 */
public enum Purpose {
    /** A registration that the user requested. */
    REGISTRATION("reg_", "webauthn.create", "a new passkey"),
    /** A registration that the browser may complete on its own after another sign-in ("conditional create"). */
    CONDITIONAL_REGISTRATION("cnd_", "webauthn.create", "a new passkey, created by the browser on its own"),
    /** An authentication with a user id. */
    AUTHENTICATION("get_", "webauthn.get", "a sign-in by user name"),
    /** An authentication without a user id ("usernameless"). */
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

    /** Returns a new challenge for this purpose, in base64url. The generator must be cryptographically secure. */
    public String challenge(RandomGenerator random) {
        return prefix + Bytes.random(random, RANDOM_BYTES).base64Url();
    }

    /** The first three bytes of a challenge for this purpose. */
    public byte[] prefixBytes() {
        return Base64.getUrlDecoder().decode(prefix);
    }

    /** Returns the purpose of a challenge, or null if the application created it and put it into the store. */
    public static @Nullable Purpose of(String challenge) {
        for (Purpose purpose : values()) {
            if (challenge.startsWith(purpose.prefix)) {
                return purpose;
            }
        }
        return null;
    }

    String description() {
        return description;
    }

    /** The client data type of a response to such a challenge. */
    String type() {
        return type;
    }

    /** Returns whether a response for this purpose may use a challenge that was issued for the other purpose. */
    boolean accepts(Purpose issued) {
        return issued == this || this == REGISTRATION && issued == CONDITIONAL_REGISTRATION;
    }
}
