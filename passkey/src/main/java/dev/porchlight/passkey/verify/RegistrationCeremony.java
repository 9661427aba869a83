// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import static dev.porchlight.passkey.verify.AuthenticatorDataRules.contradictoryBackup;
import static dev.porchlight.passkey.verify.AuthenticatorDataRules.otherRelyingParty;
import static dev.porchlight.passkey.verify.AuthenticatorDataRules.userAbsent;
import static dev.porchlight.passkey.verify.AuthenticatorDataRules.userUnverified;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.attestation.Attestation;
import dev.porchlight.passkey.attestation.AttestationReason;
import dev.porchlight.passkey.attestation.AttestationResult;
import dev.porchlight.passkey.attestation.AttestationVerifier;
import dev.porchlight.passkey.cose.CoseKey;
import dev.porchlight.passkey.cose.Es256Key;
import dev.porchlight.passkey.data.AttestationObject;
import dev.porchlight.passkey.data.AttestedCredential;
import dev.porchlight.passkey.data.AuthenticatorData;
import dev.porchlight.passkey.data.RegistrationResponse;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Registering a new credential: section 7.1 from step 11 on, up to where the database decides (steps 22 and 23).
 * Thread-safe.
 */
public final class RegistrationCeremony {
    private final RelyingParty party;
    private final Bytes rpIdHash;
    private final AttestationVerifier attestations;
    private final LongSupplier nanoTime;

    /** The time source is for measuring only. */
    public RegistrationCeremony(RelyingParty party, AttestationVerifier attestations, LongSupplier nanoTime) {
        this.party = party;
        this.rpIdHash = party.rpIdHash();
        this.attestations = attestations;
        this.nanoTime = nanoTime;
    }

    /** Judges a response whose client data was accepted. The time is for the validity of certificates. */
    public Verdict<VerifiedRegistration> judge(
            RegistrationResponse response, AcceptedClientData client, Instant now, StepObserver observer) {
        return Steps.judge(observer, nanoTime, steps -> {
            var object =
                    steps.read(Step.MALFORMED_ATTESTATION, () -> AttestationObject.parse(response.attestationObject()));
            var data =
                    steps.readPart(Step.MALFORMED_AUTHENTICATOR_DATA, () -> AuthenticatorData.parse(object.authData()));
            var credential = steps.read(Step.MALFORMED_AUTHENTICATOR_DATA, () -> attested(data));
            steps.require(Step.CREDENTIAL_ID_MISMATCH, otherId(response, credential));

            steps.require(Step.RP_ID_HASH_MISMATCH, otherRelyingParty(data, rpIdHash));
            steps.require(Step.USER_NOT_PRESENT, userAbsent(data, presenceRequired(client)));
            steps.require(Step.USER_NOT_VERIFIED, userUnverified(data, verificationRequired()));
            steps.require(Step.BACKUP_STATE_INVALID, contradictoryBackup(data));

            var key = steps.readPart(Step.BAD_PUBLIC_KEY, () -> CoseKey.read(credential.publicKey()));
            steps.require(Step.ALG_NOT_ALLOWED, key.isEs256(), "algorithm " + key.algorithm() + " was not offered");
            var publicKey = steps.read(Step.BAD_PUBLIC_KEY, () -> Es256Key.fromCose(key.members()));

            // Step 17: extensions that were not asked for are ignored, and none that was asked for decides anything.
            var attestation =
                    attestation(steps, attestations.verify(object, credential, publicKey, client.hash(), now));
            return new VerifiedRegistration(credential.credentialId(), publicKey, data, attestation, client.origin());
        });
    }

    /** Only the authenticator's word counts, and a response that does not repeat it is not that authenticator's. */
    private static @Nullable String otherId(RegistrationResponse response, AttestedCredential credential) {
        Bytes id = credential.credentialId();
        return id.equals(response.id()) && id.equals(response.rawId())
                ? null
                : "the ids of the response and of its authenticator data differ";
    }

    /** A browser that registers by itself after a sign-in has nobody to ask; Level 3 excuses that case alone. */
    private static boolean presenceRequired(AcceptedClientData client) {
        return client.purpose() != Purpose.CONDITIONAL_REGISTRATION;
    }

    private boolean verificationRequired() {
        return party.userVerification() == UserVerification.REQUIRED;
    }

    private static AttestedCredential attested(AuthenticatorData data) throws MalformedException {
        AttestedCredential credential = data.attestedCredential();
        if (credential == null) {
            throw new MalformedException("authenticatorData", "a registration without a credential");
        }
        return credential;
    }

    /** Steps 18 to 21 and 24. */
    private static Attestation attestation(Steps steps, AttestationResult result) throws RefusedException {
        if (result instanceof AttestationResult.Refused refused) {
            throw new RefusedException(step(refused.reason()), refused.detail());
        }
        steps.passed(Step.ATTESTATION_FORMAT);
        steps.passed(Step.ATTESTATION_INVALID);
        steps.passed(Step.ATTESTATION_UNTRUSTED);
        return ((AttestationResult.Accepted) result).attestation();
    }

    private static Step step(AttestationReason reason) {
        return switch (reason.stage()) {
            case FORMAT -> Step.ATTESTATION_FORMAT;
            case STATEMENT -> Step.ATTESTATION_INVALID;
            case TRUST -> Step.ATTESTATION_UNTRUSTED;
        };
    }
}
