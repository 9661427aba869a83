// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.AuthenticationResult.Verified;
import dev.porchlight.passkey.CeremonyCommit.Result;
import dev.porchlight.passkey.data.AuthenticationResponse;
import dev.porchlight.passkey.decoy.Decoys;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.verify.AssertionCeremony;
import dev.porchlight.passkey.verify.Purpose;
import dev.porchlight.passkey.verify.Verdict;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Authenticates users: issues options, verifies the response and records the use of the passkey. Thread-safe. */
record Authentications(
        PasskeyConfig config,
        CredentialStore credentials,
        Challenges challenges,
        AssertionCeremony ceremony,
        Decoys decoys,
        Clock clock) {
    static final String LOCKED = "the user is locked";

    /** Does the same work for users with and without passkeys. */
    RequestOptions start(String userId, Extensions extensions, OperationTimer timer) {
        List<CredentialDescriptor> pretended = new ArrayList<>();
        for (Decoys.Decoy decoy : decoys.of(userId)) {
            pretended.add(CredentialDescriptor.of(decoy));
        }
        int most = config.maxPasskeysPerUser();
        List<CredentialDescriptor> own =
                timer.timed(OperationPhase.DATABASE, () -> credentials.recent(userId, most)).stream()
                        .map(CredentialDescriptor::of)
                        .toList();
        String challenge = challenges.issue(userId, Purpose.AUTHENTICATION, timer);
        return new RequestOptions(challenge, own.isEmpty() ? pretended : own, config, extensions);
    }

    RequestOptions start(Extensions extensions, OperationTimer timer) {
        return new RequestOptions(challenges.issue(null, Purpose.DISCOVERY, timer), List.of(), config, extensions);
    }

    AuthenticationResult finish(
            @Nullable String userId,
            @Nullable String json,
            Extensions extensions,
            CeremonyCommit commit,
            OperationTimer timer) {
        Instant now = clock.instant();
        Verdict<Verified> verdict = challenges
                .parse(json, AuthenticationResponse::parse, userId, now, timer)
                .then(response -> verify(userId, response, extensions, now, timer))
                .ifRefused(refused -> timer.commitRefusal(commit, refused))
                .then(verified -> recordUse(verified, commit, timer));
        if (verdict instanceof Verdict.Refused<Verified> refused) {
            timer.refused(refused.result());
            return new AuthenticationResult.Refused(
                    refused.result().step(), refused.result().detail());
        }
        return ((Verdict.Accepted<Verified>) verdict).value();
    }

    private Verdict<Verified> verify(
            @Nullable String userId,
            AuthenticationResponse response,
            Extensions extensions,
            Instant now,
            OperationTimer timer) {
        String credentialId = response.rawId().base64Url();
        timer.credential(credentialId);
        return challenges
                .takeChallenge(response.clientDataJson(), userId, now, timer)
                .then(received -> ceremony.<CredentialRecord>verify(
                        response,
                        received.client(),
                        received.challenge(),
                        userId,
                        extensions.appIdHash(response.extensionResults()),
                        () -> timer.timed(OperationPhase.DATABASE, () -> credentials.find(credentialId)),
                        now,
                        timer))
                .then(proof -> new Verdict.Accepted<>(new Verified(
                        new VerifiedAssertion(proof),
                        false,
                        extensions.ofLogin(proof.data(), response.extensionResults()))));
    }

    /** Second half of step 21: writes the sign count if it grew. Safe with concurrent logins. */
    private Verdict<Verified> recordUse(Verified verified, CeremonyCommit commit, OperationTimer timer) {
        VerifiedAssertion assertion = verified.assertion();
        boolean rejects =
                config.signCountPolicy().refuses(assertion.credential().backupEligible(), assertion.backupEligible());
        var unit = new CeremonyCommit.Authentication(assertion, timer.toUse(), rejects);
        Result result = timer.timed(OperationPhase.DATABASE, () -> commit.commit(unit));
        return switch (result) {
            case DONE, DONE_WITH_STALE_COUNT -> {
                boolean stale = result == Result.DONE_WITH_STALE_COUNT;
                timer.authenticated(assertion, stale);
                yield new Verdict.Accepted<>(new Verified(assertion, stale, verified.extensions()));
            }
            case STALE_COUNT -> Verdict.refused(Step.SIGN_COUNT, "another login used this count first");
            case PASSKEY_GONE -> Verdict.refused(Step.CREDENTIAL_KNOWN, "removed during the login");
            case USER_LOCKED -> Verdict.refused(Step.USER_UNLOCKED, LOCKED);
            default -> Challenges.refused(result);
        };
    }
}
