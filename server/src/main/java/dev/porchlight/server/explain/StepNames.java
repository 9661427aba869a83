// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.explain;

import dev.porchlight.passkey.verify.Step;

/** What each step checks, in words: a step's code names its refusal, which misleads where the step passed. */
public final class StepNames {
    private StepNames() {}

    public static String of(Step step) {
        return switch (step) {
            case MALFORMED_RESPONSE -> "response";
            case MALFORMED_CLIENT_DATA -> "client data";
            case TYPE_MISMATCH -> "type";
            case CHALLENGE_NOT_FOUND -> "challenge known";
            case CHALLENGE_EXPIRED -> "challenge in time";
            case WRONG_CEREMONY -> "challenge for this";
            case ORIGIN_MISMATCH -> "origin";
            case CROSS_ORIGIN -> "not framed";
            case TOP_ORIGIN -> "top origin";
            case TOKEN_BINDING -> "token binding";
            case MALFORMED_ATTESTATION -> "attestation object";
            case MALFORMED_AUTHENTICATOR_DATA -> "authenticator data";
            case CREDENTIAL_ID_MISMATCH -> "passkey id";
            case RP_ID_HASH_MISMATCH -> "RP ID";
            case USER_NOT_PRESENT -> "user present";
            case USER_NOT_VERIFIED -> "user verified";
            case BACKUP_STATE_INVALID -> "backup flags";
            case ALG_NOT_ALLOWED -> "algorithm";
            case BAD_PUBLIC_KEY -> "public key";
            case ATTESTATION_FORMAT -> "attestation format";
            case ATTESTATION_INVALID -> "attestation";
            case ATTESTATION_UNTRUSTED -> "attestation trusted";
            case CREDENTIAL_EXISTS -> "passkey is new";
            case TOO_MANY_CREDENTIALS -> "room for one more";
            case UNKNOWN_CREDENTIAL -> "passkey known";
            case INTEGRITY -> "row as written";
            case CREDENTIAL_OWNER_MISMATCH -> "passkey’s owner";
            case USER_HANDLE_MISMATCH -> "user handle";
            case BACKUP_ELIGIBILITY_CHANGED -> "backup eligibility";
            case BAD_SIGNATURE -> "signature";
            case SIGN_COUNT -> "sign count";
            case USER_LOCKED -> "user not locked";
        };
    }
}
