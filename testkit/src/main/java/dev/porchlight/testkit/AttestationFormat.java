// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

import dev.porchlight.testkit.attestation.AndroidKeyAttester;
import dev.porchlight.testkit.attestation.AppleAttester;
import dev.porchlight.testkit.attestation.Attester;
import dev.porchlight.testkit.attestation.FidoU2fAttester;
import dev.porchlight.testkit.attestation.Issuer;
import dev.porchlight.testkit.attestation.PackedAttester;
import dev.porchlight.testkit.attestation.Statement;
import dev.porchlight.testkit.attestation.TpmAttester;
import java.util.List;

/** The attestation formats of a {@link SoftAuthenticator}, used when a relying party requests attestation. */
public enum AttestationFormat {
    /** No attestation. */
    NONE,
    /** {@code packed}, signed with the passkey's own key. */
    PACKED_SELF,
    /** {@code packed}, signed with a key whose certificate leads to {@link SoftAuthenticator#attestationRoot()}. */
    PACKED,
    FIDO_U2F,
    APPLE,
    ANDROID_KEY,
    TPM,
    /** {@code compound}: a {@link #PACKED} and a {@link #PACKED_SELF} statement. */
    COMPOUND;

    Attester attester() {
        return switch (this) {
            case NONE -> Attester.NONE;
            case PACKED_SELF -> PackedAttester.self();
            case PACKED -> new PackedAttester(Issuer.kit());
            case FIDO_U2F -> new FidoU2fAttester(Issuer.kit());
            case APPLE -> new AppleAttester(Issuer.kit());
            case ANDROID_KEY -> new AndroidKeyAttester(Issuer.kit(), unchanged -> {});
            case TPM -> new TpmAttester(Issuer.kit(), unchanged -> {});
            case COMPOUND ->
                subject -> new Statement(List.of(
                        PACKED_SELF.attester().attest(subject),
                        PACKED.attester().attest(subject)));
        };
    }
}
