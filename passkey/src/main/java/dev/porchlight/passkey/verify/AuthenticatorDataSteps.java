// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.DisplayText;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.data.AuthenticatorData;
import dev.porchlight.passkey.data.CollectedClientData;
import dev.porchlight.passkey.verify.StepRunner.RefusedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the authenticator data, for both ceremonies. Thread-safe. */
final class AuthenticatorDataSteps {
    private static final int MAX_PARENTS = 10;

    private final String rpId;
    private final Bytes rpIdHash;

    AuthenticatorDataSteps(RelyingParty party) {
        this.rpId = party.rpId();
        this.rpIdHash = Bytes.ofUtf8(rpId).sha256();
    }

    void check(
            StepRunner steps,
            AuthenticatorData data,
            CollectedClientData client,
            @Nullable Bytes appIdHash,
            boolean presenceRequired,
            Verification verification)
            throws RefusedException {
        steps.check(
                Step.RP_ID_HASH,
                data.rpIdHash().equalsInConstantTime(appIdHash == null ? rpIdHash : appIdHash),
                () -> appIdHash == null ? "the hash of " + DisplayText.of(rpId) : "the hash of the app id",
                () -> rpIdOf(data, client));
        steps.check(
                Step.USER_PRESENT,
                data.userPresent() || !presenceRequired,
                () -> presenceRequired ? "UP set" : "UP set or not",
                () -> "UP " + set(data.userPresent()));
        steps.check(
                Step.USER_VERIFIED,
                data.userVerified() || verification == Verification.OPTIONAL,
                () -> verification.expected,
                () -> "UV " + set(data.userVerified()));
        steps.check(
                Step.BACKUP_STATE,
                data.backupEligible() || !data.backedUp(),
                () -> "BS only with BE",
                () -> "BE " + set(data.backupEligible()) + ", BS " + set(data.backedUp()));
    }

    /** The user verification requirement and its reason. */
    enum Verification {
        REQUIRED("UV set"),
        /** Verification was required when the credential was registered, and stays required. */
        REQUIRED_AT_REGISTRATION("UV set, as required when the passkey was registered"),
        OPTIONAL("UV set or not");

        private final String expected;

        Verification(String expected) {
            this.expected = expected;
        }
    }

    static String set(boolean flag) {
        return flag ? "set" : "not set";
    }

    /** Returns the name behind the hash, if it is the relying party's or one that the page could have used. */
    private String rpIdOf(AuthenticatorData data, CollectedClientData client) {
        List<String> names = new ArrayList<>(List.of(rpId));
        String host = client.origin().replaceFirst("^[a-z]+://", "").replaceFirst("[:/].*$", "");
        for (int i = 0; i < MAX_PARENTS && !host.isEmpty(); i++) {
            names.add(host);
            host = host.contains(".") ? host.substring(host.indexOf('.') + 1) : "";
        }
        return names.stream()
                .filter(name -> Bytes.ofUtf8(name).sha256().equals(data.rpIdHash()))
                .findFirst()
                .map(name -> "the hash of " + DisplayText.of(name))
                .orElseGet(() -> "the hash of another name: "
                        + DisplayText.prefix(data.rpIdHash().hex()));
    }
}
