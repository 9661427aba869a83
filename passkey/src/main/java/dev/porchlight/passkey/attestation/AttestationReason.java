// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import java.util.Locale;

/** The reason why an attestation was refused or is not trusted. Each has a stable code for labels and problem details. */
public enum AttestationReason {
    FORMAT_UNKNOWN(Stage.FORMAT),
    /** The format is known but no longer in use. */
    FORMAT_RETIRED(Stage.FORMAT),

    /** The statement, or a structure inside it, does not match the syntax of its format. */
    STATEMENT_MALFORMED(Stage.STATEMENT),
    /** Format {@code none} with a statement. */
    STATEMENT_NOT_EMPTY(Stage.STATEMENT),
    /** ECDAA, which Level 2 dropped. */
    ECDAA_UNSUPPORTED(Stage.STATEMENT),
    /** A signature algorithm that is not accepted from an attestation key, or does not fit the key. */
    ALGORITHM_UNSUPPORTED(Stage.STATEMENT),
    /** Self attestation with another algorithm than the credential's. */
    ALGORITHM_MISMATCH(Stage.STATEMENT),
    SIGNATURE_INVALID(Stage.STATEMENT),

    /** A certificate that cannot be read or is too large, or too many of them. */
    CERTIFICATE_MALFORMED(Stage.STATEMENT),
    /** More than one certificate where one is allowed. */
    CERTIFICATE_COUNT(Stage.STATEMENT),
    CERTIFICATE_VERSION(Stage.STATEMENT),
    CERTIFICATE_SUBJECT(Stage.STATEMENT),
    /** A subject alternative name that does not identify a TPM. */
    CERTIFICATE_ALTERNATIVE_NAME(Stage.STATEMENT),
    /** An extended key usage without the attestation identity key's. */
    CERTIFICATE_KEY_USAGE(Stage.STATEMENT),
    /** A CA certificate, or one without basic constraints. */
    CERTIFICATE_AUTHORITY(Stage.STATEMENT),
    /** A certificate whose key is not on P-256, although the format requires that. */
    CERTIFICATE_KEY(Stage.STATEMENT),
    /** The certificate has another AAGUID than the authenticator data, or has it in a critical extension. */
    CERTIFICATE_AAGUID(Stage.STATEMENT),
    CERTIFICATE_EVIDENCE_MISSING(Stage.STATEMENT),

    PUBLIC_KEY_MISMATCH(Stage.STATEMENT),
    /** Apple: the certified nonce belongs to another ceremony. */
    NONCE_MISMATCH(Stage.STATEMENT),
    /** Android: the attested challenge belongs to another ceremony. */
    CHALLENGE_MISMATCH(Stage.STATEMENT),
    /** Android: a key that every application may use. */
    KEY_FOR_ALL_APPLICATIONS(Stage.STATEMENT),
    /** Android: a key that was not generated in the key store. */
    KEY_NOT_GENERATED(Stage.STATEMENT),
    /** Android: a key that is not, or not only, for signing. */
    KEY_NOT_FOR_SIGNING(Stage.STATEMENT),
    /** TPM: another version than 2.0. */
    TPM_VERSION(Stage.STATEMENT),
    /** TPM: the attested structure was not created inside a TPM. */
    TPM_MAGIC(Stage.STATEMENT),
    /** TPM: an attestation of something other than a key. */
    TPM_TYPE(Stage.STATEMENT),
    /** TPM: the attestation belongs to another ceremony. */
    TPM_EXTRA_DATA(Stage.STATEMENT),
    /** TPM: the attested name belongs to another key. */
    TPM_NAME(Stage.STATEMENT),

    NOT_ATTESTED(Stage.TRUST),
    /** The credential vouches for itself alone. */
    SELF_ATTESTED(Stage.TRUST),
    /** Attestation was not requested, so trust was not assessed. */
    NOT_REQUESTED(Stage.TRUST),
    CHAIN_UNTRUSTED(Stage.TRUST),
    /** The attestation certificate is not valid at the time of the ceremony. */
    CERTIFICATE_EXPIRED(Stage.TRUST),
    /** A certificate whose signature declares unused bits, and is not one of the known ones that are valid without. */
    CERTIFICATE_UNUSED_BITS(Stage.TRUST),
    /** Members that the format does not define, as in early statements from Apple. */
    MEMBERS_UNKNOWN(Stage.TRUST),
    /** TPM: signed or named with SHA-1, which is not collision-resistant. */
    DIGEST_OUTDATED(Stage.TRUST),
    /** U2F: the AAGUID is not zero, but the signature does not cover it. */
    AAGUID_NOT_ATTESTED(Stage.TRUST),
    /** Android: the key store is software, or no trusted execution environment attests the origin and purpose of the key. */
    KEY_NOT_IN_HARDWARE(Stage.TRUST),

    /** The rules for authenticators refuse the model. */
    AUTHENTICATOR_NOT_ALLOWED(Stage.MODEL);

    /** The registration step of a reason. */
    public enum Stage {
        /** Step 18: the format is supported. */
        FORMAT,
        /** Step 19: the statement is valid. */
        STATEMENT,
        /** Steps 20, 21 and 24: the statement is trusted. */
        TRUST,
        /** The model of the authenticator is allowed. WebAuthn leaves this to the relying party. */
        MODEL
    }

    private final Stage stage;
    private final String code;

    AttestationReason(Stage stage) {
        this.stage = stage;
        this.code = name().toLowerCase(Locale.ROOT);
    }

    public Stage stage() {
        return stage;
    }

    public String code() {
        return code;
    }
}
