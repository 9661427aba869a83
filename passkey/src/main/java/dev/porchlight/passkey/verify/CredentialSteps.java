// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.DisplayText;
import dev.porchlight.passkey.SignCountPolicy;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.UserVerification;
import dev.porchlight.passkey.attestation.AuthenticatorRules;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.data.AuthenticationResponse;
import dev.porchlight.passkey.data.AuthenticatorData;
import dev.porchlight.passkey.verify.AuthenticatorDataSteps.Verification;
import dev.porchlight.passkey.verify.StepRunner.RefusedException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Compares a response with the stored credential: steps 5 to 7 of authentication, and those after the signature. Thread-safe.
 *
 * @param seal tests whether a stored credential matches its seal; null if credentials are not sealed
 * @param rules decide whether an authenticator may still be used
 */
record CredentialSteps(RelyingParty party, @Nullable Predicate<RegisteredCredential> seal, AuthenticatorRules rules) {
    void checkId(StepRunner steps, AuthenticationResponse response) throws RefusedException {
        steps.check(
                Step.CREDENTIAL_ID,
                response.id().equals(response.rawId()),
                () -> "id " + DisplayText.prefix(response.rawId()),
                () -> "id " + DisplayText.prefix(response.id()));
    }

    <C extends RegisteredCredential> C known(StepRunner steps, @Nullable C stored, AuthenticationResponse response)
            throws RefusedException {
        return steps.present(
                Step.CREDENTIAL_KNOWN,
                stored,
                () -> "a registered passkey",
                () -> DisplayText.prefix(response.rawId()) + (stored == null ? ", not registered" : ""));
    }

    /** Checked before the stored owner is trusted. */
    void checkSeal(StepRunner steps, RegisteredCredential credential) throws RefusedException {
        if (seal != null) {
            boolean intact = seal.test(credential);
            steps.check(
                    Step.ROW_INTEGRITY,
                    intact,
                    () -> "a row that matches its seal",
                    () -> intact
                            ? "a row that matches its seal"
                            : credential.seal() == null ? "a row that was never sealed" : "a row that was changed");
        }
    }

    /** Includes step 5: the options allow all credentials of the user and no others. */
    void checkOwner(StepRunner steps, RegisteredCredential credential, @Nullable String userId)
            throws RefusedException {
        boolean owned = userId == null || credential.userId().equals(userId);
        steps.check(
                Step.CREDENTIAL_OWNER,
                owned,
                () -> userId == null ? "a passkey of any user" : "a passkey of the user who is signing in",
                () -> owned ? "a passkey of that user" : "a passkey of another user");
    }

    /** Requires the owner's handle. Without a user id, the handle must be presented and stored. */
    void checkUserHandle(
            StepRunner steps, RegisteredCredential credential, @Nullable String userId, @Nullable Bytes presented)
            throws RefusedException {
        String recorded = credential.userHandle();
        // The handle of an imported credential may be unknown: with a user id, the credential id and key are enough.
        boolean fits = presented == null || recorded == null ? userId != null : recorded.equals(presented.base64Url());
        steps.check(
                Step.USER_HANDLE,
                fits,
                // A handle may contain personal data, so it is not shown.
                () -> (recorded == null ? "a stored handle" : "the owner's handle")
                        + (userId == null ? "" : ", or none"),
                () -> presented == null
                        ? "none"
                        : recorded == null
                                ? "a handle, with none stored to compare"
                                : fits ? "the owner's handle" : "another handle");
    }

    void checkKey(StepRunner steps, @Nullable CredentialPublicKey key) throws RefusedException {
        steps.check(
                Step.PUBLIC_KEY,
                key != null,
                () -> "a stored public key",
                () -> key == null ? "a stored key that cannot be read" : "a stored public key");
    }

    /** A credential works on any configured origin, but not if the origin of its registration was removed. */
    void checkOrigin(StepRunner steps, RegisteredCredential credential) throws RefusedException {
        steps.check(
                Step.ORIGIN,
                party.origins().contains(credential.origin()),
                () -> DisplayText.oneOf(party.origins()),
                () -> "registered on " + DisplayText.of(credential.origin()));
    }

    /** Verification stays required for credentials that were registered with that requirement. */
    Verification verification(RegisteredCredential credential) {
        if (party.userVerification() == UserVerification.REQUIRED) {
            return Verification.REQUIRED;
        }
        return Boolean.TRUE.equals(credential.verificationRequired())
                ? Verification.REQUIRED_AT_REGISTRATION
                : Verification.OPTIONAL;
    }

    /** A provider may start to sync a passkey, but eligibility is never lost. */
    void checkEligibility(StepRunner steps, AuthenticatorData data, RegisteredCredential credential)
            throws RefusedException {
        boolean eligible = Boolean.TRUE.equals(credential.backupEligible());
        steps.check(
                Step.BACKUP_ELIGIBILITY,
                data.backupEligible() || !eligible,
                () -> eligible ? "BE set, as before" : "BE set or not",
                () -> "BE " + AuthenticatorDataSteps.set(data.backupEligible()));
    }

    void checkSignature(StepRunner steps, boolean signed) throws RefusedException {
        steps.check(
                Step.SIGNATURE,
                signed,
                () -> "a signature by the stored key",
                () -> signed ? "a signature by the stored key" : "an invalid signature");
    }

    boolean checkSignCount(StepRunner steps, AuthenticatorData data, RegisteredCredential credential)
            throws RefusedException {
        boolean grew = signCountGrew(data, credential);
        boolean refuses = party.signCountPolicy().refuses(credential.backupEligible(), data.backupEligible());
        steps.check(
                Step.SIGN_COUNT,
                grew || !refuses,
                () -> expectedCount(credential, refuses),
                () -> Long.toString(data.signCount()));
        return grew;
    }

    /** Returns whether the count grew, or is and was zero. */
    static boolean signCountGrew(AuthenticatorData data, RegisteredCredential credential) {
        return data.signCount() > credential.signCount() || data.signCount() == 0 && credential.signCount() == 0;
    }

    private String expectedCount(RegisteredCredential credential, boolean refuses) {
        if (credential.signCount() == 0) {
            return "0 or more";
        }
        String kind = party.signCountPolicy() != SignCountPolicy.AUTO
                ? ""
                : refuses ? " (device-bound passkey)" : " (synced passkey)";
        return "more than " + credential.signCount() + ", otherwise " + (refuses ? "refused" : "flagged") + kind;
    }

    /** Returns what speaks against the authenticator, if that is not refused. The last step: it needs a valid signature. */
    Optional<String> checkAuthenticator(StepRunner steps, RegisteredCredential credential, Instant now)
            throws RefusedException {
        Optional<String> suspicion = rules.suspicion(credential.aaguid(), now);
        if (suspicion.isPresent()) {
            steps.check(
                    Step.AUTHENTICATOR_ALLOWED,
                    !rules.refusesSuspicious(),
                    () -> "an authenticator that the policy allows",
                    suspicion::get);
        }
        return suspicion;
    }
}
