// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import java.util.Optional;
import java.util.stream.Stream;

/** The known attestation statement formats, by their registered identifiers. */
public enum AttestationFormat {
    /** No attestation (section 8.7). */
    NONE("none"),
    /** Signed by the credential's key or by a certified key (8.2). */
    PACKED("packed"),
    /** From security keys that only support U2F (8.6). */
    FIDO_U2F("fido-u2f"),
    /** From Apple platforms (8.8). */
    APPLE("apple"),
    /** From the Android key store (8.4). */
    ANDROID_KEY("android-key"),
    /** From a Trusted Platform Module (8.3). */
    TPM("tpm"),
    /** Several statements of other formats (8.9). */
    COMPOUND("compound"),
    /** Listed so that it can be refused by name: its service was shut down, so new statements cannot be genuine. */
    ANDROID_SAFETYNET("android-safetynet");

    private final String identifier;

    AttestationFormat(String identifier) {
        this.identifier = identifier;
    }

    public String identifier() {
        return identifier;
    }

    /** Returns the format with this identifier, compared case-sensitively as the specification requires. */
    public static Optional<AttestationFormat> of(String identifier) {
        return Stream.of(values())
                .filter(format -> format.identifier.equals(identifier))
                .findFirst();
    }
}
