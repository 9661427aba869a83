// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.explain;

import dev.porchlight.passkey.verify.Step;
import java.util.List;
import java.util.stream.Stream;

/** In which order the service judges, which is the library's: the client data first, then all else. */
final class Order {
    private static final List<Step> CLIENT_DATA = List.of(
            Step.MALFORMED_RESPONSE,
            Step.MALFORMED_CLIENT_DATA,
            Step.TYPE_MISMATCH,
            Step.ORIGIN_MISMATCH,
            Step.CROSS_ORIGIN,
            Step.TOP_ORIGIN,
            Step.CHALLENGE_NOT_FOUND,
            Step.CHALLENGE_EXPIRED,
            Step.WRONG_CEREMONY,
            Step.TOKEN_BINDING);

    private static final List<Step> REGISTRATION = after(
            Step.MALFORMED_ATTESTATION,
            Step.MALFORMED_AUTHENTICATOR_DATA,
            Step.CREDENTIAL_ID_MISMATCH,
            Step.RP_ID_HASH_MISMATCH,
            Step.USER_NOT_PRESENT,
            Step.USER_NOT_VERIFIED,
            Step.BACKUP_STATE_INVALID,
            Step.ALG_NOT_ALLOWED,
            Step.BAD_PUBLIC_KEY,
            Step.ATTESTATION_FORMAT,
            Step.ATTESTATION_INVALID,
            Step.ATTESTATION_UNTRUSTED,
            Step.CREDENTIAL_EXISTS,
            Step.TOO_MANY_CREDENTIALS);

    private static final List<Step> LOGIN = after(
            Step.CREDENTIAL_ID_MISMATCH,
            Step.UNKNOWN_CREDENTIAL,
            Step.CREDENTIAL_OWNER_MISMATCH,
            Step.USER_HANDLE_MISMATCH,
            Step.BAD_PUBLIC_KEY,
            Step.MALFORMED_AUTHENTICATOR_DATA,
            Step.RP_ID_HASH_MISMATCH,
            Step.USER_NOT_PRESENT,
            Step.USER_NOT_VERIFIED,
            Step.BACKUP_STATE_INVALID,
            Step.BACKUP_ELIGIBILITY_CHANGED,
            Step.BAD_SIGNATURE,
            Step.SIGN_COUNT);

    private Order() {}

    static List<Step> of(boolean registration) {
        return registration ? REGISTRATION : LOGIN;
    }

    private static List<Step> after(Step... more) {
        return Stream.concat(CLIENT_DATA.stream(), Stream.of(more)).toList();
    }
}
