// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.DisplayText;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.SignCountPolicy;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.UserVerification;
import dev.porchlight.passkey.attestation.AuthenticatorRules;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.cose.DecoyKey;
import dev.porchlight.passkey.cose.SignatureVerifier;
import dev.porchlight.passkey.data.AuthenticationResponse;
import dev.porchlight.passkey.data.AuthenticatorData;
import dev.porchlight.passkey.data.CollectedClientData;
import dev.porchlight.passkey.verify.AuthenticatorDataSteps.Verification;
import dev.porchlight.passkey.verify.StepRunner.RefusedException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Verifies an authentication assertion: section 7.2 from step 5 on. Numbers in comments are its steps in Level 2. Thread-safe.
 *
 * <p>The client data comes first, since it needs no database; then steps 5 to 7, which identify the user and the credential,
 * and 15 to 21. One signature is always verified, with a decoy key if necessary: the time of a refusal must not reveal
 * whether the user or the credential exists, or its kind of key.
 */
public final class AssertionCeremony {
    private final RelyingParty party;
    private final ClientDataSteps clientData;
    private final AuthenticatorDataSteps authenticatorData;
    private final SignatureVerifier signatures;
    private final @Nullable Predicate<RegisteredCredential> seal;
    private final DecoyAlgorithm decoys;
    private final AuthenticatorRules rules;
    private final LongSupplier nanoTime;

    /** The algorithm of a credential that does not exist: distributed like those that exist, and always the same for an id. */
    @FunctionalInterface
    public interface DecoyAlgorithm {
        CredentialAlgorithm of(@Nullable String userId, Bytes credentialId);
    }

    /**
     * Creates a ceremony.
     *
     * @param seal tests whether a stored credential matches its seal; null if credentials are not sealed
     * @param decoys chooses the kind of key that is verified for a credential that does not exist
     * @param rules decide whether an authenticator may still be used
     * @param nanoTime used for measuring only
     */
    public AssertionCeremony(
            RelyingParty party,
            SignatureVerifier signatures,
            @Nullable Predicate<RegisteredCredential> seal,
            DecoyAlgorithm decoys,
            AuthenticatorRules rules,
            LongSupplier nanoTime) {
        this.party = party;
        this.clientData = new ClientDataSteps(party);
        this.authenticatorData = new AuthenticatorDataSteps(party);
        this.signatures = signatures;
        this.seal = seal;
        this.decoys = decoys;
        this.rules = rules;
        this.nanoTime = nanoTime;
    }

    /**
     * Verifies a response.
     *
     * @param issued the challenge as issued, or null if it was not issued or was already used
     * @param userId the user who is signing in, or null if the credential identifies the user
     * @param appIdHash replaces the hash of the relying party id for a credential of U2F; null unless the app id was requested
     *     and the client used it
     * @param lookup finds the credential with the response's id, or null; called after the client data passed
     */
    public <C extends RegisteredCredential> Verdict<AssertionProof<C>> verify(
            AuthenticationResponse response,
            CollectedClientData client,
            @Nullable IssuedChallenge issued,
            @Nullable String userId,
            @Nullable Bytes appIdHash,
            Supplier<? extends @Nullable C> lookup,
            Instant now,
            StepObserver observer) {
        return StepRunner.run(observer, nanoTime, steps -> {
            Purpose expected = userId == null ? Purpose.DISCOVERY : Purpose.AUTHENTICATION;
            clientData.check(steps, client, expected, issued, now); // 11 to 14

            // Drawn for every credential, so that the time is the same.
            CredentialAlgorithm decoy = decoys.of(userId, response.rawId());
            @Nullable C stored = steps.fetch(lookup);
            CredentialPublicKey key = key(stored);
            CredentialAlgorithm algorithm = key == null ? decoy : key.algorithm();
            boolean signed = steps.verify(algorithm, () -> isSigned(key, decoy, response, client));

            checkId(steps, response);
            C credential = known(steps, stored, response); // 7
            checkSeal(steps, credential);
            checkOwner(steps, credential, userId); // 5 and 6
            checkUserHandle(steps, credential, userId, response.userHandle()); // 6
            checkKey(steps, key);
            checkOrigin(steps, credential);

            var data = steps.read(
                    Step.AUTHENTICATOR_DATA,
                    "authenticator data without a new passkey",
                    () -> unattested(response.authenticatorData()));
            // An unsigned output must not change the expected hash of other credentials (section 10.1.1).
            Bytes otherHash = credential.isU2f() ? appIdHash : null;
            authenticatorData.check(steps, data, client, otherHash, true, verification(credential)); // 15 to 17
            checkEligibility(steps, data, credential);

            // 18: extension outputs decide nothing else, and unsolicited ones are ignored.
            checkSignature(steps, signed); // 19 and 20
            boolean grew = checkSignCount(steps, data, credential); // 21
            Optional<String> suspicion = checkAuthenticator(steps, credential, now);
            return new AssertionProof<>(credential, data, client.origin(), now, grew, suspicion);
        });
    }

    private static void checkId(StepRunner steps, AuthenticationResponse response) throws RefusedException {
        steps.check(
                Step.CREDENTIAL_ID,
                response.id().equals(response.rawId()),
                () -> "id " + DisplayText.prefix(response.rawId()),
                () -> "id " + DisplayText.prefix(response.id()));
    }

    private static <C extends RegisteredCredential> C known(
            StepRunner steps, @Nullable C stored, AuthenticationResponse response) throws RefusedException {
        return steps.present(
                Step.CREDENTIAL_KNOWN,
                stored,
                () -> "a registered passkey",
                () -> DisplayText.prefix(response.rawId()) + (stored == null ? ", not registered" : ""));
    }

    /** Includes step 5: the options allow all credentials of the user and no others. */
    private static void checkOwner(StepRunner steps, RegisteredCredential credential, @Nullable String userId)
            throws RefusedException {
        boolean owned = userId == null || credential.userId().equals(userId);
        steps.check(
                Step.CREDENTIAL_OWNER,
                owned,
                () -> userId == null ? "a passkey of any user" : "a passkey of the user who is signing in",
                () -> owned ? "a passkey of that user" : "a passkey of another user");
    }

    private static void checkKey(StepRunner steps, @Nullable CredentialPublicKey key) throws RefusedException {
        steps.check(
                Step.PUBLIC_KEY,
                key != null,
                () -> "a stored public key",
                () -> key == null ? "a stored key that cannot be read" : "a stored public key");
    }

    /** A credential works on any configured origin, but not if the origin of its registration was removed. */
    private void checkOrigin(StepRunner steps, RegisteredCredential credential) throws RefusedException {
        steps.check(
                Step.ORIGIN,
                party.origins().contains(credential.origin()),
                () -> DisplayText.oneOf(party.origins()),
                () -> "registered on " + DisplayText.of(credential.origin()));
    }

    /** A provider may start to sync a passkey, but eligibility is never lost. */
    private static void checkEligibility(StepRunner steps, AuthenticatorData data, RegisteredCredential credential)
            throws RefusedException {
        boolean eligible = Boolean.TRUE.equals(credential.backupEligible());
        steps.check(
                Step.BACKUP_ELIGIBILITY,
                data.backupEligible() || !eligible,
                () -> eligible ? "BE set, as before" : "BE set or not",
                () -> "BE " + AuthenticatorDataSteps.set(data.backupEligible()));
    }

    private static void checkSignature(StepRunner steps, boolean signed) throws RefusedException {
        steps.check(
                Step.SIGNATURE,
                signed,
                () -> "a signature by the stored key",
                () -> signed ? "a signature by the stored key" : "an invalid signature");
    }

    private boolean checkSignCount(StepRunner steps, AuthenticatorData data, RegisteredCredential credential)
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

    /** Returns what speaks against the authenticator, if that is not refused. The last step: it needs a valid signature. */
    private Optional<String> checkAuthenticator(StepRunner steps, RegisteredCredential credential, Instant now)
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

    /** Checked before the stored owner is trusted. */
    private void checkSeal(StepRunner steps, RegisteredCredential credential) throws RefusedException {
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

    /** Requires the owner's handle. Without a user id, the handle must be presented and stored. */
    private static void checkUserHandle(
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

    /** Verification stays required for credentials that were registered with that requirement. */
    private Verification verification(RegisteredCredential credential) {
        if (party.userVerification() == UserVerification.REQUIRED) {
            return Verification.REQUIRED;
        }
        return Boolean.TRUE.equals(credential.verificationRequired())
                ? Verification.REQUIRED_AT_REGISTRATION
                : Verification.OPTIONAL;
    }

    /** Section 6.1: an assertion has no attested credential data. */
    private static AuthenticatorData unattested(Bytes bytes) throws MalformedException {
        AuthenticatorData data = AuthenticatorData.parse(bytes);
        if (data.attestedCredential() != null) {
            throw new MalformedException("authenticatorData", "an assertion with attested credential data");
        }
        return data;
    }

    /** Verifies one signature, with a decoy key if the credential has none. */
    private boolean isSigned(
            @Nullable CredentialPublicKey key,
            CredentialAlgorithm decoy,
            AuthenticationResponse response,
            CollectedClientData client) {
        CredentialPublicKey used = key == null ? DecoyKey.of(decoy) : key;
        boolean valid = signatures.verify(used, response.signature(), response.authenticatorData(), client.hash());
        return valid && key != null;
    }

    private static @Nullable CredentialPublicKey key(@Nullable RegisteredCredential stored) {
        try {
            return stored == null ? null : CredentialPublicKey.fromJwk(stored.publicKey());
        } catch (MalformedException e) {
            return null;
        }
    }
}
