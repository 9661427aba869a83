// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import java.util.Optional;

/** The attestation statement formats this package knows, by their registered identifiers. */
public enum AttestationFormat {
    NONE("none"),
    PACKED("packed"),
    FIDO_U2F("fido-u2f"),
    APPLE("apple"),
    ANDROID_KEY("android-key"),
    TPM("tpm"),
    /**
     * Known so that it can be refused by name: the service behind it was shut down, so nothing genuine can be made with
     * it.
     */
    ANDROID_SAFETYNET("android-safetynet");

    private final String identifier;

    AttestationFormat(String identifier) {
        this.identifier = identifier;
    }

    /** The value of {@code fmt}. */
    public String identifier() {
        return identifier;
    }

    /** The format of this identifier, which is compared case-sensitively as the specification demands. */
    public static Optional<AttestationFormat> of(String identifier) {
        for (AttestationFormat format : values()) {
            if (format.identifier.equals(identifier)) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }
}
