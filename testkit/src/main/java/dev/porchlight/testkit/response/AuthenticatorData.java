// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.response;

import dev.porchlight.testkit.wire.Cbor;
import dev.porchlight.testkit.wire.Octets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Mutable authenticator data. */
public final class AuthenticatorData {
    public static final int USER_PRESENT = 0x01;
    public static final int USER_VERIFIED = 0x04;
    public static final int BACKUP_ELIGIBLE = 0x08;
    public static final int BACKED_UP = 0x10;
    public static final int ATTESTED = 0x40;
    public static final int EXTENDED = 0x80;

    public final String rpId;
    public byte[] rpIdHash;
    public int flags;
    public long signCount;
    public byte[] aaguid = new byte[16];
    public byte[] credentialId = new byte[0];
    /** Written instead of the actual length if not negative. */
    public int claimedIdLength = -1;

    public Map<Object, Object> key = Cbor.map();
    /** Written instead of the key if not null. */
    public byte @Nullable [] keyOctets;

    public @Nullable Object extensions;

    public AuthenticatorData(String rpId, int flags, long signCount) {
        this.rpId = rpId;
        this.rpIdHash = Octets.sha256(Octets.utf8(rpId));
        this.flags = flags;
        this.signCount = signCount;
    }

    public AuthenticatorData set(int flag) {
        flags |= flag;
        return this;
    }

    public AuthenticatorData clear(int flag) {
        flags &= ~flag;
        return this;
    }

    /** Encodes the fields. Attested data and extensions are included if their flags are set. */
    public byte[] octets() {
        byte[] head = Octets.join(rpIdHash, Octets.of(flags), Octets.bigEndian(signCount, 4));
        byte[] attested = (flags & ATTESTED) == 0 ? new byte[0] : attestedCredentialData();
        byte[] extended = (flags & EXTENDED) == 0 || extensions == null ? new byte[0] : Cbor.encode(extensions);
        return Octets.join(head, attested, extended);
    }

    public byte[] attestedCredentialData() {
        int length = claimedIdLength < 0 ? credentialId.length : claimedIdLength;
        return Octets.join(
                aaguid, Octets.bigEndian(length, 2), credentialId, keyOctets == null ? Cbor.encode(key) : keyOctets);
    }
}
