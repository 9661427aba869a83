// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.passkey.data.Bytes;
import dev.porchlight.passkey.data.MalformedException;

/**
 * {@code certInfo}: what the TPM signed, a {@code TPMS_ATTEST} (TPM 2.0 Part 2, 10.12.8).
 *
 * @param magic says that the structure was made inside the TPM, if it is {@link #GENERATED}
 * @param type what was attested; {@link #CERTIFY} is a key
 * @param extraData what the caller gave to be signed along
 * @param name the name of the attested key; empty unless the type is {@link #CERTIFY}
 */
record TpmAttest(long magic, int type, Bytes extraData, Bytes name) {
    /** {@code TPM_GENERATED_VALUE}. */
    static final long GENERATED = 0xFF544347L;
    /** {@code TPM_ST_ATTEST_CERTIFY}. */
    static final int CERTIFY = 0x8017;

    /** {@code TPMS_CLOCK_INFO}: clock, reset count, restart count, safe. */
    private static final int CLOCK_INFO = 8 + 4 + 4 + 1;

    private static final int FIRMWARE_VERSION = 8;

    static TpmAttest read(Bytes certInfo) throws MalformedException {
        var reader = new TpmReader(certInfo, "attStmt.certInfo");
        long magic = reader.u32();
        int type = reader.u16();
        reader.sized(); // qualifiedSigner: the certificate already says who signed
        Bytes extraData = reader.sized();
        reader.skip(CLOCK_INFO + FIRMWARE_VERSION);
        if (magic != GENERATED || type != CERTIFY) {
            // The union that follows is of another shape; the caller refuses it by what was read so far.
            return new TpmAttest(magic, type, extraData, Bytes.EMPTY);
        }
        Bytes name = reader.sized();
        reader.sized(); // qualifiedName: depends on the TPM's hierarchy, which nobody outside knows
        reader.finish();
        return new TpmAttest(magic, type, extraData, name);
    }
}
