// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.DisplayText;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.UserVerification;
import dev.porchlight.passkey.attestation.Attestation;
import dev.porchlight.passkey.attestation.AttestationReason.Stage;
import dev.porchlight.passkey.attestation.AttestationResult;
import dev.porchlight.passkey.attestation.AttestationVerifier;
import dev.porchlight.passkey.cose.CoseKey;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.data.AttestationObject;
import dev.porchlight.passkey.data.AttestedCredential;
import dev.porchlight.passkey.data.AuthenticatorData;
import dev.porchlight.passkey.data.CollectedClientData;
import dev.porchlight.passkey.data.RegistrationResponse;
import dev.porchlight.passkey.verify.AuthenticatorDataSteps.Verification;
import dev.porchlight.passkey.verify.StepRunner.RefusedException;
import java.time.Instant;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Verifies a registration: section 7.1 from step 7 on, except for steps 22 and 23, which the database decides. Thread-safe. */
public final class RegistrationCeremony {
    private final RelyingParty party;
    private final ClientDataSteps clientData;
    private final AuthenticatorDataSteps authenticatorData;
    private final Verification verification;
    private final AttestationVerifier attestations;
    private final LongSupplier nanoTime;

    /** Creates a ceremony. The time source is used for measuring only. */
    public RegistrationCeremony(RelyingParty party, AttestationVerifier attestations, LongSupplier nanoTime) {
        this.party = party;
        this.clientData = new ClientDataSteps(party);
        this.authenticatorData = new AuthenticatorDataSteps(party);
        this.verification =
                party.userVerification() == UserVerification.REQUIRED ? Verification.REQUIRED : Verification.OPTIONAL;
        this.attestations = attestations;
        this.nanoTime = nanoTime;
    }

    /**
     * Verifies a response.
     *
     * @param issued the challenge as issued, or null if it was not issued or was already used
     * @param now the time of the ceremony, also for the validity of certificates
     */
    public Verdict<VerifiedRegistration> verify(
            RegistrationResponse response,
            CollectedClientData client,
            @Nullable IssuedChallenge issued,
            Instant now,
            StepObserver observer) {
        return StepRunner.run(observer, nanoTime, steps -> {
            Purpose purpose = clientData.check(steps, client, Purpose.REGISTRATION, issued, now); // 7 to 11

            var object = steps.read( // 12
                    Step.ATTESTATION_OBJECT,
                    "an attestation object",
                    () -> AttestationObject.parse(response.attestationObject()));
            var data = steps.readPart(Step.AUTHENTICATOR_DATA, () -> AuthenticatorData.parse(object.authData()));
            var credential =
                    steps.read(Step.AUTHENTICATOR_DATA, "authenticator data with a new passkey", () -> attested(data));
            checkId(steps, credential.credentialId(), response);

            // Conditional create needs no user presence (Level 3); every other registration does.
            boolean presenceRequired = purpose != Purpose.CONDITIONAL_REGISTRATION;
            authenticatorData.check(steps, data, client, null, presenceRequired, verification); // 13 to 15

            var key = steps.readPart(Step.PUBLIC_KEY, () -> CoseKey.read(credential.publicKey()));
            checkAlgorithm(steps, key); // 16
            var publicKey = steps.read(Step.PUBLIC_KEY, "a valid key", () -> CredentialPublicKey.fromCose(key));

            // 17: unsolicited extensions are ignored, and requested ones decide nothing.
            var attestation = attestation( // 18 to 21 and 24
                    steps, object, credential, attestations.verify(object, credential, publicKey, client.hash(), now));
            return new VerifiedRegistration(credential.credentialId(), publicKey, data, attestation, client.origin());
        });
    }

    /** The id in the authenticator data is authoritative, and the response must repeat it. */
    private static void checkId(StepRunner steps, Bytes id, RegistrationResponse response) throws RefusedException {
        steps.check(
                Step.CREDENTIAL_ID,
                id.equals(response.id()) && id.equals(response.rawId()),
                () -> "id and rawId " + DisplayText.prefix(id),
                () -> "id " + DisplayText.prefix(response.id()) + ", rawId " + DisplayText.prefix(response.rawId()));
    }

    private void checkAlgorithm(StepRunner steps, CoseKey key) throws RefusedException {
        steps.check(
                Step.ALGORITHM,
                CredentialAlgorithm.of(key.algorithm())
                        .filter(party.algorithms()::contains)
                        .isPresent(),
                () -> party.algorithms().stream()
                        .map(algorithm -> algorithm.cose() + " (" + algorithm + ")")
                        .collect(Collectors.joining(" or ")),
                () -> Long.toString(key.algorithm()));
    }

    private static AttestedCredential attested(AuthenticatorData data) throws MalformedException {
        AttestedCredential credential = data.attestedCredential();
        if (credential == null) {
            throw new MalformedException("authenticatorData", "a registration without attested credential data");
        }
        return credential;
    }

    /** Steps 18 to 21 and 24. */
    private static Attestation attestation(
            StepRunner steps, AttestationObject object, AttestedCredential credential, AttestationResult result)
            throws RefusedException {
        if (result instanceof AttestationResult.Refused refused) {
            throw steps.refuse(step(refused.reason().stage()), "", refused.detail());
        }
        var attestation = ((AttestationResult.Accepted) result).attestation();
        steps.check(Step.ATTESTATION_FORMAT, true, () -> "a supported format", () -> DisplayText.of(object.format()));
        steps.check(Step.ATTESTATION_STATEMENT, true, () -> "a valid statement", () -> "a valid statement");
        steps.check(
                Step.ATTESTATION_TRUST,
                true,
                () -> "an attestation that the service accepts",
                () -> "AAGUID " + credential.aaguidText());
        return attestation;
    }

    private static Step step(Stage stage) {
        return switch (stage) {
            case FORMAT -> Step.ATTESTATION_FORMAT;
            case STATEMENT -> Step.ATTESTATION_STATEMENT;
            case TRUST -> Step.ATTESTATION_TRUST;
            case MODEL -> Step.AUTHENTICATOR_ALLOWED;
        };
    }
}
