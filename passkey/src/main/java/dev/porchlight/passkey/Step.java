// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import java.util.Locale;

/**
 * The verification steps of both ceremonies: first the steps of a registration, then those that only an authentication has.
 * Each ceremony defines the order of its checks.
 *
 * <p>A step is named for what it checks. Its {@link #code} names its refusal and is the same in a problem document, a
 * metric label, a log line, a span, an audit row and a test name. Codes are stable; new ones may be added.
 */
public enum Step {
    /** The response is the JSON of a public key credential. */
    RESPONSE("malformed_response", "step 3", "step 3"),
    /** clientDataJSON is UTF-8 and JSON, and has all members. */
    CLIENT_DATA("malformed_client_data", "steps 5 and 6", "steps 9 and 10"),
    /** The client data is for this kind of ceremony. */
    TYPE("type_mismatch", "step 7", "step 11"),
    /** The challenge was issued to this user and was not used before. */
    CHALLENGE_KNOWN("challenge_not_found", "step 8", "step 12"),
    /** The challenge has not expired. */
    CHALLENGE_IN_TIME("challenge_expired", "step 8", "step 12"),
    /** The challenge was issued for this kind of ceremony. */
    CHALLENGE_PURPOSE("wrong_ceremony", "step 8", "step 12"),
    /** The origin of the page, and the origin of the registration, are configured. */
    ORIGIN("origin_mismatch", "step 9", "step 13"),
    /** No page of another origin frames the page, unless that is allowed. */
    FRAMING("cross_origin", "Level 3, after the origin", "Level 3, after the origin"),
    /** The framing page's origin is allowed to frame the page. */
    TOP_ORIGIN("top_origin", "Level 3, after the origin", "Level 3, after the origin"),
    /** The client data claims no token binding, which is never negotiated. */
    TOKEN_BINDING("token_binding", "step 10", "step 14"),
    /** The attestation object is the CBOR that the specification defines. */
    ATTESTATION_OBJECT("malformed_attestation", "step 12", ""),
    /** The authenticator data is laid out as section 6.1 defines for this kind of ceremony. */
    AUTHENTICATOR_DATA("malformed_authenticator_data", "step 12", "step 8"),
    /** The response has the same credential id everywhere. */
    CREDENTIAL_ID("credential_id_mismatch", "steps 3 and 23", "step 3"),
    /** The authenticator responded to this relying party. */
    RP_ID_HASH("rp_id_hash_mismatch", "step 13", "step 15"),
    /** The user touched the authenticator. */
    USER_PRESENT("user_not_present", "step 14", "step 16"),
    /** The authenticator verified its user, if that is required. */
    USER_VERIFIED("user_not_verified", "step 15", "step 17"),
    /** The credential is backed up only if it is eligible for backup. */
    BACKUP_STATE("backup_state_invalid", "Level 3, after user verification", "Level 3, after user verification"),
    /** The key uses an allowed algorithm. */
    ALGORITHM("alg_not_allowed", "step 16", ""),
    /** The key is valid and in its only allowed encoding. */
    PUBLIC_KEY("bad_public_key", "step 16", "step 7"),
    /** The attestation's format is supported. */
    ATTESTATION_FORMAT("attestation_format", "step 18", ""),
    /** The attestation statement verifies. */
    ATTESTATION_STATEMENT("attestation_invalid", "step 19", ""),
    /** The attestation leads to a trust anchor, if that is required. */
    ATTESTATION_TRUST("attestation_untrusted", "steps 20, 21 and 24", ""),
    /** The relying party's policy allows this model of authenticator. WebAuthn has no such step. */
    AUTHENTICATOR_ALLOWED("authenticator_not_allowed", "", ""),
    /** The credential id is not registered, by any user. */
    CREDENTIAL_NEW("credential_exists", "step 22", ""),
    /** The user has fewer passkeys than allowed. */
    CREDENTIAL_LIMIT("too_many_credentials", "step 23", ""),

    /** The credential is registered. */
    CREDENTIAL_KNOWN("unknown_credential", "", "steps 5 to 7"),
    /** The stored credential matches its seal, if credentials are sealed. WebAuthn has no such step. */
    ROW_INTEGRITY("integrity", "", ""),
    /** The credential is registered to the user who is signing in. */
    CREDENTIAL_OWNER("credential_owner_mismatch", "", "step 6"),
    /** The user handle belongs to the credential's owner, and is present if no user id was given. */
    USER_HANDLE("user_handle_mismatch", "", "step 6"),
    /** A credential that was eligible for backup still is. */
    BACKUP_ELIGIBILITY("backup_eligibility_changed", "", "Level 3, after user verification"),
    /** The signature verifies with the stored key. */
    SIGNATURE("bad_signature", "", "step 20"),
    /** The sign count grew, so there is no cloned authenticator. */
    SIGN_COUNT("sign_count", "", "step 21"),
    /** The application has not locked the user. WebAuthn has no such step. */
    USER_UNLOCKED("user_locked", "", "");

    private final String code;
    private final String registrationSection;
    private final String authenticationSection;
    private final String label;

    Step(String code, String registrationSection, String authenticationSection) {
        this.code = code;
        this.registrationSection = registrationSection;
        this.authenticationSection = authenticationSection;
        this.label = name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** The stable, machine-readable code of a refusal at this step. */
    public String code() {
        return code;
    }

    /** The name of the step for operators, such as {@code user present}. */
    public String label() {
        return label;
    }

    /** The place in section 7.1 of WebAuthn Level 2 that requires the step, or empty. */
    public String registrationSection() {
        return registrationSection;
    }

    /** The place in section 7.2 of WebAuthn Level 2 that requires the step, or empty. */
    public String authenticationSection() {
        return authenticationSection;
    }
}
