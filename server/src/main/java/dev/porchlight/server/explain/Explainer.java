// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.explain;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.attestation.AttestationVerifier;
import dev.porchlight.passkey.attestation.TrustAnchors;
import dev.porchlight.passkey.cose.SignatureCheck;
import dev.porchlight.passkey.data.AuthenticationResponse;
import dev.porchlight.passkey.data.CollectedClientData;
import dev.porchlight.passkey.data.RegistrationResponse;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.verify.AssertionCeremony;
import dev.porchlight.passkey.verify.ClientDataCeremony;
import dev.porchlight.passkey.verify.Purpose;
import dev.porchlight.passkey.verify.RegistrationCeremony;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.passkey.verify.Verdict;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Judges captured responses against a configuration and what is in the database. Thread-safe. */
public final class Explainer {
    private static final String NO_OPTIONS = "no options were given to compare it with";
    private static final String NO_CLOCK =
            "only the service knew when it gave the challenge out, and whether it was spent";
    private static final String NOT_YET = "the service had refused before it came to this";
    private static final String NO_USER = "it is not known who was named in the request";

    private final PasskeyConfig config;
    private final CredentialStore credentials;
    private final InstantSource clock;

    public Explainer(PasskeyConfig config, CredentialStore credentials, InstantSource clock) {
        this.config = config;
        this.credentials = credentials;
        this.clock = clock;
    }

    /**
     * What becomes of each step. Those behind a fault that cannot be overlooked, such as a key that is not there, are not
     * reached.
     */
    public Explanation explain(Capture capture) {
        Refusal refusal = capture.refusal();
        Findings findings = new Findings();
        Comparisons compared = new Comparisons(config);
        if (refusal == null) {
            if (capture.challenge() == null) {
                findings.leaveOut(Step.CHALLENGE_NOT_FOUND, NO_OPTIONS);
            }
            findings.leaveOut(Step.CHALLENGE_EXPIRED, NO_CLOCK);
        } else {
            Stream.of(Step.CHALLENGE_NOT_FOUND, Step.CHALLENGE_EXPIRED)
                    .filter(step -> !refusal.passed().contains(step))
                    .forEach(step -> findings.leaveOut(step, NOT_YET));
        }
        boolean registration = refusal == null ? isRegistration(capture.response()) : refusal.registration();
        if (registration) {
            registration(capture, findings, compared);
        } else {
            login(capture, findings, compared);
        }
        if (refusal != null) {
            findings.refusedThen(refusal);
        }
        return new Explanation(registration, findings.list(Order.of(registration), compared));
    }

    private static boolean isRegistration(String response) {
        try {
            JsonObject inner = JsonObject.parse(response, "").optionalObject("response");
            return inner != null && inner.names().contains("attestationObject");
        } catch (MalformedException e) {
            return false; // and the first step says so
        }
    }

    private void registration(Capture capture, Findings findings, Comparisons compared) {
        RegistrationResponse response =
                findings.read(Step.MALFORMED_RESPONSE, () -> RegistrationResponse.parse(capture.response()));
        CollectedClientData client = response == null ? null : client(response.clientDataJson(), findings);
        if (response == null || client == null) {
            return;
        }
        compared.client(client, capture.challenge(), Purpose.REGISTRATION, null);
        compared.registration(response, client);
        Instant now = clock.instant();
        var attestations = new AttestationVerifier(config.attestationPolicy(), TrustAnchors.of(config.trustAnchors()));
        boolean sound = judge(
                client,
                null,
                capture.challenge(),
                findings,
                terms -> new ClientDataCeremony(terms.party(), () -> 0)
                        .judge(client, Purpose.REGISTRATION, terms.challenge(), now, findings)
                        .then(accepted -> new RegistrationCeremony(terms.party(), attestations, () -> 0)
                                .judge(response, accepted, now, findings)));
        if (sound) {
            room(response.rawId().base64Url(), capture.userId(), findings, compared);
        }
    }

    /** Where the database decides. */
    private void room(String credentialId, @Nullable String userId, Findings findings, Comparisons compared) {
        findings.check(
                Step.CREDENTIAL_EXISTS,
                credentials.find(credentialId) == null ? null : "registered already, perhaps by this very response");
        if (userId == null) {
            findings.leaveOut(Step.TOO_MANY_CREDENTIALS, NO_USER);
            findings.check(Step.TOO_MANY_CREDENTIALS, null);
            return;
        }
        int count = credentials.count(userId);
        compared.room(count);
        findings.check(
                Step.TOO_MANY_CREDENTIALS,
                count < config.maxPasskeysPerUser() ? null : "has " + count + " passkeys already");
    }

    private void login(Capture capture, Findings findings, Comparisons compared) {
        AuthenticationResponse response =
                findings.read(Step.MALFORMED_RESPONSE, () -> AuthenticationResponse.parse(capture.response()));
        CollectedClientData client = response == null ? null : client(response.clientDataJson(), findings);
        if (response == null || client == null) {
            return;
        }
        CredentialRecord stored = credentials.find(response.rawId().base64Url());
        boolean guessed = capture.refusal() == null && Purpose.of(client.challenge()) != Purpose.DISCOVERY;
        boolean named = capture.userId() != null || guessed;
        if (named && capture.userId() == null) {
            findings.leaveOut(Step.CREDENTIAL_OWNER_MISMATCH, NO_USER);
        }
        String owner = stored == null ? "" : stored.userId();
        String userId = capture.userId() == null && named ? owner : capture.userId();
        Purpose purpose = named ? Purpose.AUTHENTICATION : Purpose.DISCOVERY;
        compared.client(client, capture.challenge(), purpose, stored);
        compared.login(response, client, stored, capture.userId());
        Instant now = clock.instant();
        var signatures = new SignatureCheck();
        judge(
                client,
                stored,
                capture.challenge(),
                findings,
                terms -> new ClientDataCeremony(terms.party(), () -> 0)
                        .judge(client, purpose, terms.challenge(), now, findings)
                        .then(accepted -> new AssertionCeremony(terms.party(), signatures, () -> 0)
                                .judge(response, accepted, userId, terms.stored(), now, findings)));
    }

    private static @Nullable CollectedClientData client(Bytes json, Findings findings) {
        return findings.read(Step.MALFORMED_CLIENT_DATA, () -> CollectedClientData.parse(json));
    }

    /** Judges by ever more lenient terms, until all is judged or no terms help. True if nothing is left unjudged. */
    private <T> boolean judge(
            CollectedClientData client,
            @Nullable CredentialRecord stored,
            @Nullable String issued,
            Findings findings,
            Function<Terms, Verdict<T>> procedure) {
        Terms terms = Terms.of(config, issued == null ? client.challenge() : issued, stored);
        while (terms != null) {
            if (!(procedure.apply(terms) instanceof Verdict.Refused<T> refused)) {
                return true;
            }
            boolean first = findings.refused(refused.step(), refused.detail());
            terms = first ? terms.forgiving(refused.step(), client) : null;
        }
        return false;
    }
}
