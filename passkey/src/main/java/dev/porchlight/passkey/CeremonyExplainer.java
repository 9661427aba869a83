// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.cose.SignatureVerifier;
import dev.porchlight.passkey.data.AuthenticationResponse;
import dev.porchlight.passkey.data.CollectedClientData;
import dev.porchlight.passkey.data.RegistrationResponse;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.passkey.verify.AssertionCeremony;
import dev.porchlight.passkey.verify.IssuedChallenge;
import dev.porchlight.passkey.verify.Purpose;
import dev.porchlight.passkey.verify.RegistrationCeremony;
import dev.porchlight.passkey.verify.StepObserver;
import java.security.Provider;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replays ceremonies with captured responses, for operators. Returns the transcript of every step that can be checked, with
 * the expected and found values, even after a refusal. Reads the database; writes nothing and uses no challenge.
 * Thread-safe.
 */
public final class CeremonyExplainer {
    private static final String CREDENTIAL = "the JSON of a credential";

    private final PasskeyConfig config;
    private final CredentialStore credentials;
    private final InstantSource clock;
    private final RegistrationCeremony registrations;
    private final AssertionCeremony assertions;

    /**
     * Creates an explainer.
     *
     * @param provider verifies signatures; null for the JDK's default
     */
    public CeremonyExplainer(
            PasskeyConfig config,
            CredentialStore credentials,
            InstantSource clock,
            @Nullable Provider provider,
            Authenticators authenticators) {
        this.config = config;
        this.credentials = credentials;
        this.clock = clock;
        var rules = new ModelRules(authenticators);
        this.registrations =
                new RegistrationCeremony(config.relyingParty(), rules.attestations(config, provider), () -> 0);
        this.assertions = new AssertionCeremony(
                config.relyingParty(),
                new SignatureVerifier(provider),
                null,
                id -> CredentialAlgorithm.ES256,
                rules,
                () -> 0);
    }

    /**
     * The transcript of a registration.
     *
     * @param challenge the challenge that was issued; null if unknown, to accept the one in the response
     * @param userId the user who registers; null if unknown, to skip the limit of passkeys
     */
    public List<StepResult> registration(String json, @Nullable String challenge, @Nullable String userId) {
        var transcript = new Transcript();
        var response = transcript.read(Step.RESPONSE, CREDENTIAL, () -> RegistrationResponse.parse(json));
        var client = response == null ? null : transcript.client(response.clientDataJson());
        if (response == null || client == null) {
            return transcript.steps;
        }
        var unused = registrations.verify(response, client, issued(challenge, client), clock.instant(), transcript);
        if (transcript.reached(Step.ATTESTATION_TRUST)) {
            boolean isNew = credentials.find(response.rawId().base64Url()) == null;
            transcript.add(
                    Step.CREDENTIAL_NEW,
                    isNew,
                    "an id that is not registered",
                    isNew ? "an id that is not registered" : "already registered, perhaps by this response");
            int count = userId == null ? 0 : credentials.count(userId);
            transcript.add(
                    Step.CREDENTIAL_LIMIT,
                    count < config.maxPasskeysPerUser(),
                    "fewer than " + config.maxPasskeysPerUser(),
                    userId == null ? "" : Integer.toString(count));
        }
        return transcript.steps;
    }

    /**
     * The transcript of a login.
     *
     * @param challenge the challenge that was issued; null if unknown, to accept the one in the response
     * @param userId the user id sent with the response; null if absent or unknown
     * @param guessUser whether the user id is unknown: the passkey's owner is assumed, unless the challenge was issued
     *     without a user
     */
    public List<StepResult> login(String json, @Nullable String challenge, @Nullable String userId, boolean guessUser) {
        var transcript = new Transcript();
        var response = transcript.read(Step.RESPONSE, CREDENTIAL, () -> AuthenticationResponse.parse(json));
        var client = response == null ? null : transcript.client(response.clientDataJson());
        if (response == null || client == null) {
            return transcript.steps;
        }
        CredentialRecord stored = credentials.find(response.rawId().base64Url());
        boolean owner = userId == null && guessUser && Purpose.of(client.challenge()) != Purpose.DISCOVERY;
        String user = owner ? stored == null ? "" : stored.userId() : userId;
        var unused = assertions.verify(
                response,
                client,
                issued(challenge, client),
                user,
                config.extensions().appIdHash(response.extensionResults()),
                () -> stored,
                clock.instant(),
                transcript);
        return transcript.steps;
    }

    private static IssuedChallenge issued(@Nullable String challenge, CollectedClientData client) {
        return new IssuedChallenge(challenge == null ? client.challenge() : challenge, Long.MAX_VALUE);
    }

    private static final class Transcript implements StepObserver {
        private final List<StepResult> steps = new ArrayList<>();

        @Override
        public boolean explains() {
            return true;
        }

        @Override
        public void checked(StepResult result) {
            steps.add(result);
        }

        boolean reached(Step step) {
            return steps.stream().anyMatch(result -> result.step() == step);
        }

        void add(Step step, boolean passed, String expected, String found) {
            steps.add(new StepResult(step, passed, expected, found, 0));
        }

        @Nullable
        CollectedClientData client(Bytes json) {
            return read(Step.CLIENT_DATA, "client data with all members", () -> CollectedClientData.parse(json));
        }

        <T> @Nullable T read(Step step, String readable, OperationTimer.Reading<T> reading) {
            try {
                T value = reading.read();
                add(step, true, readable, readable);
                return value;
            } catch (MalformedException e) {
                steps.add(StepResult.refused(step, String.valueOf(e.getMessage())));
                return null;
            }
        }
    }
}
