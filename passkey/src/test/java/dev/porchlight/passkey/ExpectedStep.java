// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static dev.porchlight.passkey.Step.*;
import static java.util.Map.entry;

import dev.porchlight.testkit.tamper.Mutation;
import java.util.Map;

/** The step that must refuse each mutation: the targeted one, except for steps with two refusal codes. */
final class ExpectedStep {
    private static final Map<String, Step> BY_TARGET = Map.ofEntries(
            entry("7.1.3", RESPONSE),
            entry("7.1.5", CLIENT_DATA),
            entry("7.1.6", CLIENT_DATA),
            entry("7.1.7", TYPE),
            entry("7.1.8", CHALLENGE_KNOWN),
            entry("7.1.9", ORIGIN),
            entry("7.1.9 T26", FRAMING),
            entry("7.1.10", TOKEN_BINDING),
            entry("7.1.12", AUTHENTICATOR_DATA),
            entry("7.1.13", RP_ID_HASH),
            entry("7.1.14", USER_PRESENT),
            entry("7.1.15", USER_VERIFIED),
            entry("7.1.15 T36", BACKUP_STATE),
            entry("7.1.16", PUBLIC_KEY),
            entry("7.1.16 T27", ALGORITHM),
            entry("7.1.18", ATTESTATION_FORMAT),
            entry("7.1.19", ATTESTATION_STATEMENT),
            entry("7.1.21", ATTESTATION_TRUST),
            entry("7.1.22", CREDENTIAL_NEW),
            entry("7.1.23", CREDENTIAL_ID),
            entry("7.2.3", RESPONSE),
            entry("7.2.5", CREDENTIAL_KNOWN),
            entry("7.2.6", USER_HANDLE),
            entry("7.2.6 T12", CREDENTIAL_OWNER),
            entry("7.2.7", CREDENTIAL_KNOWN),
            entry("7.2.8", AUTHENTICATOR_DATA),
            entry("7.2.9", CLIENT_DATA),
            entry("7.2.10", CLIENT_DATA),
            entry("7.2.11", TYPE),
            entry("7.2.12", CHALLENGE_KNOWN),
            entry("7.2.13", ORIGIN),
            entry("7.2.13 T26", FRAMING),
            entry("7.2.14", TOKEN_BINDING),
            entry("7.2.15", RP_ID_HASH),
            entry("7.2.16", USER_PRESENT),
            entry("7.2.17", USER_VERIFIED),
            entry("7.2.18", BACKUP_STATE),
            entry("7.2.20", SIGNATURE),
            entry("7.2.21", SIGN_COUNT));

    private static final Map<String, Step> BY_NAME = Map.of(
            "id-differs-from-raw-id", CREDENTIAL_ID,
            "raw-id-differs-from-id", CREDENTIAL_ID,
            "top-origin-without-a-frame", TOP_ORIGIN,
            "backup-eligibility-lost", BACKUP_ELIGIBILITY);

    private ExpectedStep() {}

    static Step of(Mutation mutation) {
        if (BY_NAME.containsKey(mutation.name())) {
            return BY_NAME.get(mutation.name());
        }
        if (mutation.name().startsWith("object-")) {
            return ATTESTATION_OBJECT; // 7.1.12 covers both the object and the authenticator data inside it
        }
        String target = mutation.target();
        Step step = BY_TARGET.getOrDefault(target, BY_TARGET.get(target.split(" ", 2)[0]));
        if (step == null) {
            throw new AssertionError("a mutation for an unlisted step: " + mutation);
        }
        return step;
    }
}
