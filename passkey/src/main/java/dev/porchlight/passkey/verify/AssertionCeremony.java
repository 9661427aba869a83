// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import static dev.porchlight.passkey.verify.AuthenticatorDataRules.contradictoryBackup;
import static dev.porchlight.passkey.verify.AuthenticatorDataRules.otherRelyingParty;
import static dev.porchlight.passkey.verify.AuthenticatorDataRules.userAbsent;
import static dev.porchlight.passkey.verify.AuthenticatorDataRules.userUnverified;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.cose.Es256Key;
import dev.porchlight.passkey.cose.SignatureCheck;
import dev.porchlight.passkey.data.AuthenticationResponse;
import dev.porchlight.passkey.data.AuthenticatorData;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialSeal;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Verifying an authentication assertion: section 7.2 but for the client data. Thread-safe.
 *
 * <p>The client data is judged first, since that takes no look at the database; then come steps 5 to 7, who and which,
 * and 15 to 21. Whatever these say, one signature is verified, with some key: how long a refusal takes must not tell
 * whether the user or the credential exists.
 */
public final class AssertionCeremony {
    /** Stands in for the key of a credential that is not there. It vouches for nothing: no credential, no acceptance. */
    private static final String NOBODYS_KEY = "{\"kty\":\"EC\",\"crv\":\"P-256\","
            + "\"x\":\"axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY\","
            + "\"y\":\"T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU\"}";

    private final RelyingParty party;
    private final Bytes rpIdHash;
    private final SignatureCheck signatures;
    private final @Nullable CredentialSeal seal;
    private final LongSupplier nanoTime;

    /** Takes credentials as they are stored. The time source is for measuring only. */
    public AssertionCeremony(RelyingParty party, SignatureCheck signatures, LongSupplier nanoTime) {
        this(party, signatures, null, nanoTime);
    }

    /** Takes only credentials that this seal holds for, if there is one. */
    public AssertionCeremony(
            RelyingParty party, SignatureCheck signatures, @Nullable CredentialSeal seal, LongSupplier nanoTime) {
        this.party = party;
        this.rpIdHash = party.rpIdHash();
        this.signatures = signatures;
        this.seal = seal;
        this.nanoTime = nanoTime;
    }

    /**
     * Judges a response whose client data was accepted.
     *
     * @param userId who says he is signing in, or null if the passkey alone is to tell
     * @param stored the credential registered under the response's id, or null if there is none
     * @param now when
     */
    public Verdict<VerifiedAssertion> judge(
            AuthenticationResponse response,
            AcceptedClientData client,
            @Nullable String userId,
            @Nullable CredentialRecord stored,
            Instant now,
            StepObserver observer) {
        return Steps.judge(observer, nanoTime, steps -> {
            Es256Key key = key(stored);
            boolean signed = steps.verifying(() -> signatures.verify(
                    key == null ? nobodysKey() : key,
                    response.signature(),
                    response.authenticatorData(),
                    client.hash()));

            steps.require(Step.CREDENTIAL_ID_MISMATCH, response.id().equals(response.rawId()), "id and rawId differ");
            CredentialRecord credential = steps.present(Step.UNKNOWN_CREDENTIAL, stored, "not registered");
            if (seal != null) {
                steps.require(Step.INTEGRITY, brokenSeal(seal, credential));
            }
            steps.require(Step.CREDENTIAL_OWNER_MISMATCH, otherOwner(credential, userId));
            steps.require(Step.USER_HANDLE_MISMATCH, otherHandle(credential, userId, response.userHandle()));
            steps.require(Step.BAD_PUBLIC_KEY, key != null, "the stored key cannot be read");
            steps.require(Step.ORIGIN_MISMATCH, foreignRegistration(credential));

            var data = steps.read(Step.MALFORMED_AUTHENTICATOR_DATA, () -> unattested(response.authenticatorData()));
            steps.require(Step.RP_ID_HASH_MISMATCH, otherRelyingParty(data, rpIdHash));
            steps.require(Step.USER_NOT_PRESENT, userAbsent(data, true));
            steps.require(Step.USER_NOT_VERIFIED, userUnverified(data, verificationRequired(credential)));
            steps.require(Step.BACKUP_STATE_INVALID, contradictoryBackup(data));
            steps.require(Step.BACKUP_ELIGIBILITY_CHANGED, eligibilityLost(data, credential));

            // Step 18: extensions that were not asked for are ignored, and none is asked for.
            steps.require(Step.BAD_SIGNATURE, signed, "not a signature of the stored key");
            boolean grew = signCountGrew(data, credential);
            steps.require(Step.SIGN_COUNT, countRefused(grew, data, credential));
            return new VerifiedAssertion(credential, data, client.origin(), now, grew);
        });
    }

    /** Whether a count counts as grown: greater than the greatest before, or zero for one that never counted. */
    static boolean signCountGrew(AuthenticatorData data, CredentialRecord credential) {
        return data.signCount() > credential.signCount() || data.signCount() == 0 && credential.signCount() == 0;
    }

    /** Before the row's owner is believed. */
    private static @Nullable String brokenSeal(CredentialSeal seal, CredentialRecord credential) {
        if (seal.holds(credential)) {
            return null;
        }
        return credential.seal() == null ? "the row was never sealed" : "the row is not what was sealed";
    }

    /** Step 5 is in here too: the options allow the user's own credentials, all of them and no other. */
    private static @Nullable String otherOwner(CredentialRecord credential, @Nullable String userId) {
        return userId == null || credential.userId().equals(userId) ? null : "registered to another user";
    }

    /** What the authenticator says of the user must fit the record; where nothing else names him, it must say so. */
    private static @Nullable String otherHandle(
            CredentialRecord credential, @Nullable String userId, @Nullable Bytes presented) {
        String recorded = credential.userHandle();
        if (presented == null) {
            return userId == null ? "no user handle, and nothing else names the user" : null;
        }
        if (recorded == null) {
            // An imported passkey, whose handle nobody knows: its id and its key name the owner, if he was named.
            return userId == null ? "no user handle is on record" : null;
        }
        return recorded.equals(presented.base64Url()) ? null : "the user handle of somebody else";
    }

    /** A credential registered on an origin that is not configured any more is refused; between those that are it may move. */
    private @Nullable String foreignRegistration(CredentialRecord credential) {
        return party.origins().contains(credential.origin())
                ? null
                : "registered on " + Excerpt.of(credential.origin()) + ", which is not an origin of ours";
    }

    /** A credential that was registered when verification was demanded cannot be used without, whatever is asked now. */
    private boolean verificationRequired(CredentialRecord credential) {
        return party.userVerification() == UserVerification.REQUIRED
                || Boolean.TRUE.equals(credential.verificationRequired());
    }

    /** Eligibility may be gained, when a provider begins to synchronise; it is never lost. */
    private static @Nullable String eligibilityLost(AuthenticatorData data, CredentialRecord credential) {
        boolean lost = Boolean.TRUE.equals(credential.backupEligible()) && !data.backupEligible();
        return lost ? "BE was set at registration and is not any more" : null;
    }

    private @Nullable String countRefused(boolean grew, AuthenticatorData data, CredentialRecord credential) {
        return grew || !party.signCountPolicy().refuses(credential, data.backupEligible())
                ? null
                : "count " + data.signCount() + " after " + credential.signCount();
    }

    /** Section 6.1: an assertion carries no credential. */
    private static AuthenticatorData unattested(Bytes bytes) throws MalformedException {
        AuthenticatorData data = AuthenticatorData.parse(bytes);
        if (data.attestedCredential() != null) {
            throw new MalformedException("authenticatorData", "an assertion with a credential in it");
        }
        return data;
    }

    private static @Nullable Es256Key key(@Nullable CredentialRecord stored) {
        try {
            return stored == null ? null : Es256Key.fromJwk(stored.publicKey());
        } catch (MalformedException e) {
            return null;
        }
    }

    /** Read anew each time, as a stored key is. */
    private static Es256Key nobodysKey() {
        try {
            return Es256Key.fromJwk(NOBODYS_KEY);
        } catch (MalformedException e) {
            throw new IllegalStateException(e);
        }
    }
}
