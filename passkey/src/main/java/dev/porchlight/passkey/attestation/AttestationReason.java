// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import java.util.Locale;

/**
 * Why an attestation was refused, or why it is not trusted. One stable word each, fit for a label or a problem's
 * detail.
 */
public enum AttestationReason {
    /** The format is not one this package knows. */
    FORMAT_UNKNOWN(Stage.FORMAT),
    /** The format is known, and nothing genuine can be made with it any more. */
    FORMAT_RETIRED(Stage.FORMAT),

    /** The statement, or a structure inside it, is not of its format's syntax. */
    STATEMENT_MALFORMED(Stage.STATEMENT),
    /** Format {@code none} with a statement. */
    STATEMENT_NOT_EMPTY(Stage.STATEMENT),
    /** ECDAA, which Level 2 dropped. */
    ECDAA_UNSUPPORTED(Stage.STATEMENT),
    /** A signature algorithm that is not accepted from an attestation key, or one the key cannot have made. */
    ALGORITHM_UNSUPPORTED(Stage.STATEMENT),
    /** Self attestation that states another algorithm than the credential's. */
    ALGORITHM_MISMATCH(Stage.STATEMENT),
    /** The signature does not verify. */
    SIGNATURE_INVALID(Stage.STATEMENT),

    /** A certificate that cannot be read or is too large, or too many of them. */
    CERTIFICATE_MALFORMED(Stage.STATEMENT),
    /** More than one certificate where one is allowed. */
    CERTIFICATE_COUNT(Stage.STATEMENT),
    /** Not version 3. */
    CERTIFICATE_VERSION(Stage.STATEMENT),
    /** A subject other than the format prescribes. */
    CERTIFICATE_SUBJECT(Stage.STATEMENT),
    /** A subject alternative name without what identifies a TPM. */
    CERTIFICATE_ALTERNATIVE_NAME(Stage.STATEMENT),
    /** An extended key usage without the attestation identity key's. */
    CERTIFICATE_KEY_USAGE(Stage.STATEMENT),
    /** A certificate authority's certificate, or one that does not say that it is none. */
    CERTIFICATE_AUTHORITY(Stage.STATEMENT),
    /** A certificate whose key is not on P-256 where the format prescribes it. */
    CERTIFICATE_KEY(Stage.STATEMENT),
    /** The certificate names another authenticator model than the authenticator data, or does so critically. */
    CERTIFICATE_AAGUID(Stage.STATEMENT),
    /** The extension that the format's evidence lives in is not there. */
    CERTIFICATE_EVIDENCE_MISSING(Stage.STATEMENT),

    /** The attested key is not the credential's. */
    PUBLIC_KEY_MISMATCH(Stage.STATEMENT),
    /** Apple: the certified nonce is of another ceremony. */
    NONCE_MISMATCH(Stage.STATEMENT),
    /** Android: the attested challenge is of another ceremony. */
    CHALLENGE_MISMATCH(Stage.STATEMENT),
    /** Android: a key that every application may use. */
    KEY_FOR_ALL_APPLICATIONS(Stage.STATEMENT),
    /** Android: a key that was not generated where it lives. */
    KEY_NOT_GENERATED(Stage.STATEMENT),
    /** Android: a key that is not, or not only, for signing. */
    KEY_NOT_FOR_SIGNING(Stage.STATEMENT),
    /** TPM: another version than 2.0. */
    TPM_VERSION(Stage.STATEMENT),
    /** TPM: the attested structure was not made inside a TPM. */
    TPM_MAGIC(Stage.STATEMENT),
    /** TPM: an attestation of something else than a key. */
    TPM_TYPE(Stage.STATEMENT),
    /** TPM: the attestation is of another ceremony. */
    TPM_EXTRA_DATA(Stage.STATEMENT),
    /** TPM: the attested name is of another key. */
    TPM_NAME(Stage.STATEMENT),

    /** Nothing was attested. */
    NOT_ATTESTED(Stage.TRUST),
    /** The credential vouches for itself alone. */
    SELF_ATTESTED(Stage.TRUST),
    /** Attestation was not asked for, so trust was not assessed. */
    NOT_REQUESTED(Stage.TRUST),
    /** The certificates lead to none of the caller's anchors. */
    CHAIN_UNTRUSTED(Stage.TRUST),
    /** The attestation certificate is not valid at the time of the ceremony. */
    CERTIFICATE_EXPIRED(Stage.TRUST),
    /** Members that the format does not have, as in statements of Apple's from before the format was registered. */
    MEMBERS_UNKNOWN(Stage.TRUST),
    /** TPM: signed or named with SHA-1, for which two texts with one hash can be made to order. */
    DIGEST_OUTDATED(Stage.TRUST),
    /** U2F: an authenticator model is named, and this format's signature does not cover it. */
    AAGUID_NOT_ATTESTED(Stage.TRUST),
    /**
     * Android: the key store is software, or no trusted execution environment vouches for how the key came to be and what
     * it is for.
     */
    KEY_NOT_IN_HARDWARE(Stage.TRUST);

    /** Which of the registration steps a reason belongs to. */
    public enum Stage {
        /** Step 18: is the format one we judge. */
        FORMAT,
        /** Step 19: is the statement sound. */
        STATEMENT,
        /** Steps 20, 21 and 24: does it lead to an anchor. */
        TRUST
    }

    private final Stage stage;
    private final String code;

    AttestationReason(Stage stage) {
        this.stage = stage;
        this.code = name().toLowerCase(Locale.ROOT);
    }

    /** The registration step it belongs to. */
    public Stage stage() {
        return stage;
    }

    /** The stable word, in lower case. */
    public String code() {
        return code;
    }
}
