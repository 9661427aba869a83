// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import java.util.Optional;
import java.util.stream.Stream;

/** The attestation statement formats this package knows, by their registered identifiers. */
public enum AttestationFormat {
    /** No attestation (section 8.7). */
    NONE("none"),
    /** By the credential's own key or by a certificate (8.2). */
    PACKED("packed"),
    /** Of security keys that know U2F only (8.6). */
    FIDO_U2F("fido-u2f"),
    /** Of Apple's platforms (8.8). */
    APPLE("apple"),
    /** Of the Android key store (8.4). */
    ANDROID_KEY("android-key"),
    /** Of a Trusted Platform Module (8.3). */
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
        return Stream.of(values())
                .filter(format -> format.identifier.equals(identifier))
                .findFirst();
    }
}
