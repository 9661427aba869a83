// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.attestation.AuthenticatorRules;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.cose.KeyType;
import dev.porchlight.passkey.cose.SignatureVerifier;
import dev.porchlight.passkey.data.AuthenticationResponse;
import dev.porchlight.passkey.data.AuthenticatorData;
import dev.porchlight.passkey.data.CollectedClientData;
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
 * whether the user or the credential exists.
 */
public final class AssertionCeremony {
    private final ClientDataSteps clientData;
    private final CredentialSteps credentials;
    private final AuthenticatorDataSteps authenticatorData;
    private final SignatureVerifier signatures;
    private final DecoyAlgorithm decoys;
    private final LongSupplier nanoTime;

    /** The algorithm of a credential that does not exist: distributed like those that exist, and always the same for an id. */
    @FunctionalInterface
    public interface DecoyAlgorithm {
        CredentialAlgorithm of(Bytes credentialId);
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
        this.clientData = new ClientDataSteps(party);
        this.credentials = new CredentialSteps(party, seal, rules);
        this.authenticatorData = new AuthenticatorDataSteps(party);
        this.signatures = signatures;
        this.decoys = decoys;
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
            CredentialAlgorithm decoy = decoys.of(response.rawId());
            @Nullable C stored = steps.fetch(lookup);
            CredentialPublicKey key = key(stored);
            CredentialAlgorithm algorithm = key == null ? decoy : key.algorithm();
            boolean signed = steps.verify(algorithm, () -> isSigned(key, decoy, response, client));

            credentials.checkId(steps, response);
            C credential = credentials.known(steps, stored, response); // 7
            credentials.checkSeal(steps, credential);
            credentials.checkOwner(steps, credential, userId); // 5 and 6
            credentials.checkUserHandle(steps, credential, userId, response.userHandle()); // 6
            credentials.checkKey(steps, key);
            credentials.checkOrigin(steps, credential);

            var data = steps.read(
                    Step.AUTHENTICATOR_DATA,
                    "authenticator data without a new passkey",
                    () -> unattested(response.authenticatorData()));
            // An unsigned output must not change the expected hash of other credentials (section 10.1.1).
            Bytes otherHash = credential.isU2f() ? appIdHash : null;
            var verification = credentials.verification(credential);
            authenticatorData.check(steps, data, client, otherHash, true, verification); // 15 to 17
            credentials.checkEligibility(steps, data, credential);

            // 18: extension outputs decide nothing else, and unsolicited ones are ignored.
            credentials.checkSignature(steps, signed); // 19 and 20
            boolean grew = credentials.checkSignCount(steps, data, credential); // 21
            Optional<String> suspicion = credentials.checkAuthenticator(steps, credential, now);
            return new AssertionProof<>(credential, data, client.origin(), now, grew, suspicion);
        });
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
        CredentialPublicKey used = key == null ? KeyType.of(decoy).decoy() : key;
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
