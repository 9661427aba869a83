// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.explain;

import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.attestation.AttestationVerifier;
import dev.porchlight.passkey.cose.SignatureCheck;
import dev.porchlight.passkey.data.AuthenticationResponse;
import dev.porchlight.passkey.data.Bytes;
import dev.porchlight.passkey.data.CollectedClientData;
import dev.porchlight.passkey.data.JsonObject;
import dev.porchlight.passkey.data.MalformedException;
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
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Judges captured responses against a configuration and what is in the database. Thread-safe. */
public final class Explainer {
    private static final String NO_OPTIONS = "no options were given to compare it with";
    private static final String NO_CLOCK =
            "only the service knew when it gave the challenge out, and whether it was spent";
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
     * Each step that was judged, in its order. What cannot be overlooked, such as a signature that is wrong, is the last.
     *
     * @throws MalformedException if there are options and they cannot be read
     */
    public List<Finding> explain(Capture capture) throws MalformedException {
        Findings findings = new Findings();
        String options = capture.options();
        String issued =
                options == null ? null : JsonObject.parse(options, "options").text("challenge");
        if (issued == null) {
            findings.leaveOut(Step.CHALLENGE_NOT_FOUND, NO_OPTIONS);
        }
        findings.leaveOut(Step.CHALLENGE_EXPIRED, NO_CLOCK);
        if (isRegistration(capture.response())) {
            registration(capture, issued, findings);
        } else {
            login(capture, issued, findings);
        }
        return findings.list();
    }

    private static boolean isRegistration(String response) {
        try {
            JsonObject inner = JsonObject.parse(response, "").optionalObject("response");
            return inner != null && inner.names().contains("attestationObject");
        } catch (MalformedException e) {
            return false; // and the first step says so
        }
    }

    private void registration(Capture capture, @Nullable String issued, Findings findings) {
        RegistrationResponse response =
                findings.read(Step.MALFORMED_RESPONSE, () -> RegistrationResponse.parse(capture.response()));
        CollectedClientData client = response == null ? null : client(response.clientDataJson(), findings);
        if (response == null || client == null) {
            return;
        }
        Instant now = clock.instant();
        var attestations = new AttestationVerifier(config.attestationPolicy(), config.trustAnchors());
        boolean sound = judge(
                client,
                null,
                issued,
                findings,
                terms -> new ClientDataCeremony(terms.party(), () -> 0)
                        .judge(client, Purpose.REGISTRATION, terms.challenge(), now, findings)
                        .then(accepted -> new RegistrationCeremony(terms.party(), attestations, () -> 0)
                                .judge(response, accepted, now, findings)));
        if (sound) {
            room(response.rawId().base64Url(), capture.userId(), findings);
        }
    }

    /** Where the database decides. */
    private void room(String credentialId, @Nullable String userId, Findings findings) {
        findings.check(
                Step.CREDENTIAL_EXISTS,
                credentials.find(credentialId) == null ? null : "registered already, perhaps by this very response");
        if (userId == null) {
            findings.leaveOut(Step.TOO_MANY_CREDENTIALS, NO_USER);
        }
        int count = userId == null ? 0 : credentials.list(userId).size();
        findings.check(
                Step.TOO_MANY_CREDENTIALS,
                count < config.maxPasskeysPerUser() ? null : "has " + count + " passkeys already");
    }

    private void login(Capture capture, @Nullable String issued, Findings findings) {
        AuthenticationResponse response =
                findings.read(Step.MALFORMED_RESPONSE, () -> AuthenticationResponse.parse(capture.response()));
        CollectedClientData client = response == null ? null : client(response.clientDataJson(), findings);
        if (response == null || client == null) {
            return;
        }
        CredentialRecord stored = credentials.find(response.rawId().base64Url());
        boolean named = capture.userId() != null || Purpose.of(client.challenge()) != Purpose.DISCOVERY;
        if (named && capture.userId() == null) {
            findings.leaveOut(Step.CREDENTIAL_OWNER_MISMATCH, NO_USER);
        }
        String owner = stored == null ? "" : stored.userId();
        String userId = capture.userId() == null && named ? owner : capture.userId();
        Purpose purpose = named ? Purpose.AUTHENTICATION : Purpose.DISCOVERY;
        Instant now = clock.instant();
        var signatures = new SignatureCheck();
        judge(
                client,
                stored,
                issued,
                findings,
                terms -> new ClientDataCeremony(terms.party(), () -> 0)
                        .judge(client, purpose, terms.challenge(), now, findings)
                        .then(accepted -> new AssertionCeremony(terms.party(), signatures, () -> 0)
                                .judge(response, accepted, userId, stored, now, findings)));
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
        Terms terms = Terms.of(config, issued == null ? client.challenge() : issued);
        while (terms != null) {
            if (!(procedure.apply(terms) instanceof Verdict.Refused<T> refused)) {
                return true;
            }
            boolean first = findings.refused(refused.step(), refused.detail());
            terms = first ? terms.forgiving(refused.step(), client, stored) : null;
        }
        return false;
    }
}
