// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.data.AuthenticatorData;
import org.jspecify.annotations.Nullable;

/** What both ceremonies ask of authenticator data. Each method is one rule and says what is wrong, or null. */
final class AuthenticatorDataRules {
    private AuthenticatorDataRules() {}

    static @Nullable String otherRelyingParty(AuthenticatorData data, Bytes rpIdHash) {
        return data.rpIdHash().equalsInConstantTime(rpIdHash) ? null : "made for another relying party id";
    }

    static @Nullable String userAbsent(AuthenticatorData data, boolean required) {
        return data.userPresent() || !required ? null : "the UP flag is not set";
    }

    static @Nullable String userUnverified(AuthenticatorData data, boolean required) {
        return data.userVerified() || !required ? null : "the UV flag is not set";
    }

    static @Nullable String contradictoryBackup(AuthenticatorData data) {
        return data.backedUp() && !data.backupEligible() ? "BS is set and BE is not" : null;
    }
}
