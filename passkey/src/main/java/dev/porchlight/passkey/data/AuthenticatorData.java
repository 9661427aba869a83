// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.data;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import org.jspecify.annotations.Nullable;

/**
 * The parsed authenticator data (WebAuthn section 6.1).
 *
 * <p>Reserved flags are ignored; the flags for attested credential data and extensions must agree with the bytes that
 * follow. The ceremony decides whether the flags are sufficient.
 *
 * @param raw the bytes as received, which signatures cover
 * @param rpIdHash 32 bytes: the SHA-256 of the relying party id
 * @param flags the flags byte
 * @param signCount from 0 to 2^32-1
 * @param attestedCredential the credential; only present in registrations
 * @param extensions the outputs of authenticator extensions
 */
public record AuthenticatorData(
        Bytes raw,
        Bytes rpIdHash,
        int flags,
        long signCount,
        @Nullable AttestedCredential attestedCredential,
        @Nullable CborMap extensions) {
    private static final String PART = "authenticatorData";
    private static final int HASH = 32;
    private static final int HEADER = 37;
    private static final int UP = 0x01;
    private static final int UV = 0x04;
    private static final int BE = 0x08;
    private static final int BS = 0x10;
    private static final int AT = 0x40;
    private static final int ED = 0x80;

    /** Parses authenticator data. Unaccounted bytes are refused. */
    public static AuthenticatorData parse(Bytes raw) throws MalformedException {
        if (raw.size() < HEADER) {
            throw new MalformedException(PART, "shorter than " + HEADER + " bytes");
        }
        int flags = raw.at(HASH);
        long signCount = (long) raw.at(33) << 24 | raw.at(34) << 16 | raw.at(35) << 8 | raw.at(36);
        int position = HEADER;
        AttestedCredential credential = null;
        if ((flags & AT) != 0) {
            credential = AttestedCredential.read(raw, position);
            position += credential.encodedSize();
        }
        CborMap extensions = null;
        if ((flags & ED) != 0) {
            var reader = new CborReader(raw, position, PART + ".extensions");
            extensions = reader.nextMap();
            position = reader.position();
        }
        if (position != raw.size()) {
            throw new MalformedException(PART, "bytes that no flag accounts for");
        }
        return new AuthenticatorData(raw, raw.slice(0, HASH), flags, signCount, credential, extensions);
    }

    public boolean userPresent() {
        return (flags & UP) != 0;
    }

    public boolean userVerified() {
        return (flags & UV) != 0;
    }

    public boolean backupEligible() {
        return (flags & BE) != 0;
    }

    public boolean backedUp() {
        return (flags & BS) != 0;
    }
}
