// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.passkey.CeremonyCommit.Result;
import dev.porchlight.passkey.data.AuthenticationResponse;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.verify.AssertionCeremony;
import dev.porchlight.passkey.verify.Purpose;
import dev.porchlight.passkey.verify.Verdict;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Authentication with its stores: issues options; has the answer judged and records the use. Thread-safe. */
final class Authentications {
    static final String LOCKED = "the user is locked";

    private final PasskeyConfig config;
    private final CredentialStore credentials;
    private final Challenges challenges;
    private final AssertionCeremony ceremony;
    private final Decoys decoys;
    private final Clock clock;

    Authentications(
            PasskeyConfig config,
            CredentialStore credentials,
            Challenges challenges,
            AssertionCeremony ceremony,
            Decoys decoys,
            Clock clock) {
        this.config = config;
        this.credentials = credentials;
        this.challenges = challenges;
        this.ceremony = ceremony;
        this.decoys = decoys;
        this.clock = clock;
    }

    /** For a user who has no passkeys, all is done as for one who has. */
    RequestOptions start(String userId, OperationTimer timer) {
        List<CredentialDescriptor> pretended = decoys.of(userId);
        int most = config.maxPasskeysPerUser();
        List<CredentialDescriptor> own =
                timer.spending(OperationPhase.DATABASE, () -> credentials.recent(userId, most)).stream()
                        .map(CredentialDescriptor::of)
                        .toList();
        String challenge = challenges.issue(userId, Purpose.AUTHENTICATION, timer);
        return new RequestOptions(challenge, own.isEmpty() ? pretended : own, config);
    }

    RequestOptions start(OperationTimer timer) {
        return new RequestOptions(challenges.issue(null, Purpose.DISCOVERY, timer), List.of(), config);
    }

    AuthenticationResult finish(
            @Nullable String userId, @Nullable String json, CeremonyCommit commit, OperationTimer timer) {
        Instant now = clock.instant();
        Verdict<AuthenticationResult.Verified> verdict = challenges
                .received(json, AuthenticationResponse::parse, userId, now, timer)
                .then(response -> judge(userId, response, now, timer))
                .ifRefused(refused -> timer.commitRefusal(commit, refused))
                .then(assertion -> recordUse(assertion, commit, timer));
        if (verdict instanceof Verdict.Refused<AuthenticationResult.Verified> refused) {
            timer.refused(refused.result());
            return new AuthenticationResult.Refused(
                    refused.result().step(), refused.result().detail());
        }
        return ((Verdict.Accepted<AuthenticationResult.Verified>) verdict).value();
    }

    private Verdict<VerifiedAssertion> judge(
            @Nullable String userId, AuthenticationResponse response, Instant now, OperationTimer timer) {
        String credentialId = response.rawId().base64Url();
        timer.credential(credentialId);
        return challenges
                .answered(response.clientDataJson(), userId, now, timer)
                .then(answered -> ceremony.<CredentialRecord>judge(
                        response,
                        answered.client(),
                        answered.challenge(),
                        userId,
                        () -> timer.spending(OperationPhase.DATABASE, () -> credentials.find(credentialId)),
                        now,
                        timer))
                .then(proof -> new Verdict.Accepted<>(new VerifiedAssertion(proof)));
    }

    /** Step 21, the second half: the count is written if it grew, also beside other logins that are under way. */
    private Verdict<AuthenticationResult.Verified> recordUse(
            VerifiedAssertion assertion, CeremonyCommit commit, OperationTimer timer) {
        boolean rejects =
                config.signCountPolicy().refuses(assertion.credential().backupEligible(), assertion.backupEligible());
        var unit = new CeremonyCommit.Authentication(assertion, timer.toUse(), rejects);
        Result result = timer.spending(OperationPhase.DATABASE, () -> commit.commit(unit));
        return switch (result) {
            case DONE, DONE_WITH_STALE_COUNT -> {
                boolean stale = result == Result.DONE_WITH_STALE_COUNT;
                timer.authenticated(assertion, stale);
                yield new Verdict.Accepted<>(new AuthenticationResult.Verified(assertion, stale));
            }
            case STALE_COUNT -> Verdict.refused(Step.SIGN_COUNT, "another login was ahead with this count");
            case PASSKEY_GONE -> Verdict.refused(Step.CREDENTIAL_KNOWN, "removed in the meantime");
            case USER_LOCKED -> Verdict.refused(Step.USER_UNLOCKED, LOCKED);
            default -> Challenges.refused(result);
        };
    }
}
