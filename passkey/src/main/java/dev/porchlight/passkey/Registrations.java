// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.Hmac;
import dev.porchlight.passkey.CeremonyCommit.Result;
import dev.porchlight.passkey.RegistrationResult.Registered;
import dev.porchlight.passkey.data.AttestedCredential;
import dev.porchlight.passkey.data.RegistrationResponse;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialRecord.Authenticator;
import dev.porchlight.passkey.store.CredentialRecord.Details;
import dev.porchlight.passkey.store.CredentialRecord.Flags;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.store.UserRecord;
import dev.porchlight.passkey.verify.CredentialSeal;
import dev.porchlight.passkey.verify.Purpose;
import dev.porchlight.passkey.verify.RegistrationCeremony;
import dev.porchlight.passkey.verify.Verdict;
import dev.porchlight.passkey.verify.VerifiedRegistration;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Registers passkeys: issues options, verifies the response and stores the passkey. Thread-safe. */
record Registrations(
        PasskeyConfig config,
        CredentialStore credentials,
        Challenges challenges,
        RegistrationCeremony ceremony,
        @Nullable CredentialSeal seal,
        @Nullable SecretKeySpec handleKey,
        SecureRandom random,
        Clock clock) {
    private static final int HANDLE_BYTES = 32;
    private static final int SEALED_AT_ONCE = 500;

    CreationOptions start(
            String userId, RegistrationRequest request, boolean newUser, Extensions extensions, OperationTimer timer) {
        UserRecord user = timer.timed(
                OperationPhase.DATABASE,
                () -> handleKey == null
                        ? credentials.enroll(
                                new UserRecord(userId, freshHandle(), request.name(), request.displayName()))
                        : unstored(userId, request, newUser, handleKey));
        List<CredentialRecord> existing = newUser
                ? List.of()
                : timer.timed(OperationPhase.DATABASE, () -> credentials.recent(userId, config.maxPasskeysPerUser()));
        Purpose purpose = request.conditional() ? Purpose.CONDITIONAL_REGISTRATION : Purpose.REGISTRATION;
        String challenge = challenges.issue(userId, purpose, timer);
        List<CredentialDescriptor> exclude =
                existing.stream().map(CredentialDescriptor::of).toList();
        return new CreationOptions(challenge, user, exclude, config, extensions);
    }

    RegistrationResult finish(
            String userId,
            @Nullable String json,
            int limit,
            boolean newUser,
            Extensions extensions,
            CeremonyCommit commit,
            OperationTimer timer) {
        Instant now = clock.instant();
        Verdict<Registered> verdict = challenges
                .parse(json, RegistrationResponse::parse, userId, now, timer)
                .then(response -> verify(userId, response, commit.acceptsUnprompted(), now, timer)
                        .then(registration -> new Verdict.Accepted<>(new Registered(
                                passkey(userId, response, registration, newUser, now, timer),
                                extensions.ofRegistration(registration.data(), response.extensionResults())))))
                .ifRefused(refused -> timer.commitRefusal(commit, refused))
                .then(registered -> store(registered, limit, commit, timer));
        if (verdict instanceof Verdict.Refused<Registered> refused) {
            timer.refused(refused.result());
            return new RegistrationResult.Refused(
                    refused.result().step(), refused.result().detail());
        }
        return ((Verdict.Accepted<Registered>) verdict).value();
    }

    private Verdict<VerifiedRegistration> verify(
            String userId, RegistrationResponse response, boolean unprompted, Instant now, OperationTimer timer) {
        timer.credential(response.rawId().base64Url());
        return challenges
                .takeChallenge(response.clientDataJson(), userId, now, timer)
                .then(received -> unprompted
                                || Purpose.of(received.client().challenge()) != Purpose.CONDITIONAL_REGISTRATION
                        ? ceremony.verify(response, received.client(), received.challenge(), now, timer)
                        : Verdict.refused(Step.CHALLENGE_PURPOSE, "a passkey that the browser created on its own"));
    }

    /** Steps 22 and 23: the unique constraint of the store decides. An existing passkey is never changed. */
    private Verdict<Registered> store(Registered registered, int limit, CeremonyCommit commit, OperationTimer timer) {
        CredentialRecord credential = registered.credential();
        String handle = credential.userHandle();
        UserRecord user =
                handleKey == null || handle == null ? null : new UserRecord(credential.userId(), handle, null, null);
        var unit = new CeremonyCommit.Registration(credential, user, limit, timer.toUse());
        Result result = timer.timedWrite(OperationPhase.DATABASE, () -> commit.commit(unit));
        return switch (result) {
            case DONE -> {
                timer.registered(credential);
                yield new Verdict.Accepted<>(registered);
            }
            case PASSKEY_EXISTS -> Verdict.refused(Step.CREDENTIAL_NEW, "already registered");
            case TOO_MANY_PASSKEYS ->
                Verdict.refused(Step.CREDENTIAL_LIMIT, "the user already has " + limit + " passkeys");
            case PASSKEY_GONE -> Verdict.refused(Step.CREDENTIAL_KNOWN, "the user's access has ended");
            case USER_LOCKED -> Verdict.refused(Step.USER_UNLOCKED, Authentications.LOCKED);
            default -> Challenges.refused(result);
        };
    }

    /** Seals every passkey that has no seal, and returns their number. */
    int sealAll() {
        if (seal == null) {
            throw new IllegalStateException("sealing passkeys requires a rowIntegrityKey");
        }
        int count = 0;
        List<CredentialRecord> batch;
        do {
            batch = credentials.unsealed(SEALED_AT_ONCE);
            for (CredentialRecord credential : batch) {
                count += credentials.seal(credential.credentialId(), seal.of(credential)) ? 1 : 0;
            }
        } while (!batch.isEmpty());
        return count;
    }

    private CredentialRecord passkey(
            String userId,
            RegistrationResponse response,
            VerifiedRegistration registration,
            boolean newUser,
            Instant now,
            OperationTimer timer) {
        @Nullable
        UserRecord user = newUser && handleKey != null
                ? null
                : timer.timed(OperationPhase.DATABASE, () -> credentials.user(userId));
        String derived = handleKey == null ? null : handle(userId, handleKey);
        var attestation = registration.attestation();
        var data = registration.data();
        boolean required = config.userVerification() == UserVerification.REQUIRED;
        String trust = attestation.doubt().map(doubt -> doubt.code()).orElse(Authenticator.TRUSTED);
        var passkey = new CredentialRecord(
                registration.credentialId().base64Url(),
                userId,
                registration.publicKey().toJwk(),
                data.signCount(),
                registration.origin(),
                user == null ? derived : user.userHandle(),
                new Flags(
                        data.backupEligible(), data.backedUp(), data.userVerified(), required, response.residentKey()),
                new Authenticator(
                        response.transports(),
                        AttestedCredential.uuid(attestation.aaguid()),
                        attestation.format().identifier(),
                        trust),
                new Details(null, now.truncatedTo(ChronoUnit.MILLIS), null),
                null);
        return seal == null ? passkey : passkey.withSeal(seal.of(passkey));
    }

    private UserRecord unstored(String userId, RegistrationRequest request, boolean newUser, SecretKeySpec key) {
        UserRecord known = newUser ? null : credentials.user(userId);
        String name = request.name() == null && known != null ? known.name() : request.name();
        String displayName =
                request.displayName() == null && known != null ? known.displayName() : request.displayName();
        return new UserRecord(userId, known == null ? handle(userId, key) : known.userHandle(), name, displayName);
    }

    /** Deterministic, so that options and finish agree without stored state. */
    private static String handle(String userId, SecretKeySpec key) {
        return Bytes.copyOf(Hmac.of(key, userId.getBytes(StandardCharsets.UTF_8)))
                .base64Url();
    }

    private String freshHandle() {
        return Bytes.random(random, HANDLE_BYTES).base64Url();
    }
}
