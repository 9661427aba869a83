// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import java.util.Locale;

/**
 * Every way in which a ceremony can be refused, in the order of WebAuthn Level 2, section 7.1 (registration) and, from
 * {@link #UNKNOWN_CREDENTIAL} on, what section 7.2 (authentication) adds.
 *
 * <p>One word per refusal: the {@link #code} is the same in a problem document, a metric's label, a log line, a span and
 * a test's name. Codes are stable; new ones may be added.
 */
public enum Step {
    /** The response is not the JSON of a browser's credential. */
    MALFORMED_RESPONSE("7.1 step 3, 7.2 step 3"),
    /** clientDataJSON is not UTF-8, not JSON, or lacks a member. */
    MALFORMED_CLIENT_DATA("7.1 steps 5 and 6, 7.2 steps 9 and 10"),
    /** The client data is that of another kind of ceremony. */
    TYPE_MISMATCH("7.1 step 7, 7.2 step 11"),
    /** The challenge was never issued to this user, or it is spent. */
    CHALLENGE_NOT_FOUND("7.1 step 8, 7.2 step 12"),
    /** The challenge was issued, but too long ago. */
    CHALLENGE_EXPIRED("7.1 step 8, 7.2 step 12"),
    /** The challenge was issued for another kind of ceremony. */
    WRONG_CEREMONY("7.1 step 8, 7.2 step 12"),
    /** The page's origin, or that of the credential's registration, is not one of ours. */
    ORIGIN_MISMATCH("7.1 step 9, 7.2 step 13"),
    /** The page was framed by a page of another origin, which is not allowed. */
    CROSS_ORIGIN("Level 3, 7.1 and 7.2, after the origin"),
    /** The framing page's origin is not one that is allowed to frame ours. */
    TOP_ORIGIN("Level 3, 7.1 and 7.2, after the origin"),
    /** The client data claims that token binding was used, which we never negotiate. */
    TOKEN_BINDING("7.1 step 10, 7.2 step 14"),
    /** The attestation object is not the CBOR it should be. */
    MALFORMED_ATTESTATION("7.1 step 12"),
    /** The authenticator data is not laid out as section 6.1 says for this kind of ceremony. */
    MALFORMED_AUTHENTICATOR_DATA("7.1 step 12, 7.2 step 8"),
    /** The response names one credential here and another there. */
    CREDENTIAL_ID_MISMATCH("7.1 steps 3 and 23, 7.2 step 3"),
    /** The authenticator answered another relying party. */
    RP_ID_HASH_MISMATCH("7.1 step 13, 7.2 step 15"),
    /** Nobody touched the authenticator. */
    USER_NOT_PRESENT("7.1 step 14, 7.2 step 16"),
    /** The authenticator did not verify its user, and must. */
    USER_NOT_VERIFIED("7.1 step 15, 7.2 step 17"),
    /** Backed up, and not eligible to be: the flags contradict each other. */
    BACKUP_STATE_INVALID("Level 3, 7.1 and 7.2, after user verification"),
    /** The key is for an algorithm that was not offered. */
    ALG_NOT_ALLOWED("7.1 step 16"),
    /** The key is not a point on P-256 in the one form that is allowed. */
    BAD_PUBLIC_KEY("7.1 step 16, 7.2 step 7"),
    /** The attestation's format is unknown or retired. */
    ATTESTATION_FORMAT("7.1 step 18"),
    /** The attestation statement does not verify. */
    ATTESTATION_INVALID("7.1 step 19"),
    /** The attestation leads to none of our trust anchors, and must. */
    ATTESTATION_UNTRUSTED("7.1 steps 20, 21 and 24"),
    /** The credential id is registered already, to whomever. */
    CREDENTIAL_EXISTS("7.1 step 22"),
    /** The user has as many passkeys as he may. */
    TOO_MANY_CREDENTIALS("7.1 step 23"),

    /** No such credential is registered. */
    UNKNOWN_CREDENTIAL("7.2 steps 5 to 7"),
    /** The credential's row is not as it was sealed, or was never sealed, where rows are. */
    INTEGRITY("7.2 steps 6 and 7"),
    /** The credential is registered to another user than the one who is signing in. */
    CREDENTIAL_OWNER_MISMATCH("7.2 step 6"),
    /** The user handle is another user's, or is missing where it alone says who is signing in. */
    USER_HANDLE_MISMATCH("7.2 step 6"),
    /** A credential that could be backed up no longer can. */
    BACKUP_ELIGIBILITY_CHANGED("Level 3, 7.2, after user verification"),
    /** The signature is not that of the stored key over what was received. */
    BAD_SIGNATURE("7.2 step 20"),
    /** The sign count did not grow: there may be a second authenticator with this key. */
    SIGN_COUNT("7.2 step 21"),
    /** The application has locked the user. */
    USER_LOCKED("none: a decision of the application");

    private final String section;
    private final String code;

    Step(String section) {
        this.section = section;
        this.code = name().toLowerCase(Locale.ROOT);
    }

    /** The stable, machine-readable word. */
    public String code() {
        return code;
    }

    /** Where WebAuthn (Level 2 unless said otherwise) prescribes it. */
    public String section() {
        return section;
    }
}
