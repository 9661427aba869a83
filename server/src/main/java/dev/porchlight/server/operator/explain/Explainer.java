// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.explain;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CeremonyExplainer;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.StepResult;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.CredentialStore;
import dev.porchlight.server.crypto.SignatureProvider;
import dev.porchlight.server.history.Capture;
import dev.porchlight.server.history.Capture.Refusal;
import dev.porchlight.server.history.Cause;
import dev.porchlight.server.operator.explain.StepExplanation.State;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Explains captured responses against a configuration and the stored passkeys. Thread-safe. */
public final class Explainer {
    private static final String NOT_LOCKED = "a user who is not locked";

    private final PasskeyConfig config;
    private final CredentialStore credentials;
    private final InstantSource clock;
    private final Predicate<String> locked;
    private final Authenticators authenticators;

    /** Explains against this configuration and database; {@code locked} is whether a user is locked. */
    public Explainer(
            PasskeyConfig config,
            CredentialStore credentials,
            InstantSource clock,
            Predicate<String> locked,
            Authenticators authenticators) {
        this.authenticators = authenticators;
        this.config = config;
        this.credentials = credentials;
        this.clock = clock;
        this.locked = locked;
    }

    /**
     * The result of each step of a ceremony, in the order in which the service checks them.
     *
     * @param registration whether it is a registration, rather than a login
     */
    public record Explanation(boolean registration, List<StepExplanation> steps) {
        public Explanation {
            steps = List.copyOf(steps);
        }

        /**
         * Writes the result of each step.
         *
         * @param language the language tag of the sentences about causes
         */
        public void write(JsonWriter json, String language) {
            json.text("ceremony", registration ? "registration" : "login")
                    .number(
                            "refused",
                            steps.stream()
                                    .filter(step -> step.state() == State.REFUSED)
                                    .count())
                    .objects("steps", steps, (member, step) -> step.write(member, language));
        }
    }

    /** Explains every step. Steps after a refusal that leaves nothing to check, such as a missing key, are not reached. */
    public Explanation explain(Capture capture) {
        Refusal refusal = capture.refusal();
        var provider = SignatureProvider.choose().provider().orElse(null);
        var ceremonies = new CeremonyExplainer(config, credentials, clock, provider, authenticators);
        boolean registration = refusal == null ? isRegistration(capture.response()) : refusal.registration();
        List<StepResult> transcript = registration
                ? ceremonies.registration(capture.response(), capture.challenge(), capture.userId())
                : ceremonies.login(capture.response(), capture.challenge(), capture.userId(), refusal == null);
        Map<Step, String> unchecked = unchecked(capture, registration);
        Map<Step, StepExplanation> steps = new LinkedHashMap<>();
        for (StepResult result : transcript) {
            steps.merge(result.step(), StepExplanation.of(result, unchecked.get(result.step())), StepExplanation::and);
        }
        checkStored(steps, capture);
        if (refusal != null) {
            StepResult then = refusal.result();
            steps.compute(
                    then.step(),
                    (step, now) -> refusedThen(then, now, refusal.operation().cause()));
        }
        Stream.of(Step.values())
                .filter(step -> !(registration ? step.registrationSection() : step.authenticationSection()).isEmpty())
                .forEach(step -> steps.putIfAbsent(step, new StepExplanation(step, State.NOT_REACHED, "", "", "")));
        return new Explanation(registration, List.copyOf(steps.values()));
    }

    /** Checks the lock, which is the last step of a login, and that the sign count is still comparable. */
    private void checkStored(Map<Step, StepExplanation> steps, Capture capture) {
        StepExplanation passkey = steps.get(Step.CREDENTIAL_KNOWN);
        String id = JsonObject.find(capture.response(), "id");
        CredentialRecord stored =
                passkey == null || id == null || !PasskeyService.isCredentialId(id) ? null : credentials.find(id);
        if (stored != null) {
            boolean isLocked = locked.test(stored.userId());
            steps.put(
                    Step.USER_UNLOCKED,
                    new StepExplanation(
                            Step.USER_UNLOCKED,
                            isLocked ? State.REFUSED : State.PASSED,
                            NOT_LOCKED,
                            isLocked ? "a user who is locked" : NOT_LOCKED,
                            ""));
            Instant used = stored.details().lastUsedAt();
            if (used != null && capture.refusal() != null && used.toEpochMilli() > capture.refusedAt()) {
                steps.computeIfPresent(
                        Step.SIGN_COUNT,
                        (step, now) -> new StepExplanation(step, State.NOT_CHECKED, "", "", "used_since"));
            }
        }
    }

    /** The steps that cannot be checked, with the name of the reason in the catalog of causes. */
    private static Map<Step, String> unchecked(Capture capture, boolean registration) {
        Map<Step, String> unchecked = new EnumMap<>(Step.class);
        Refusal refusal = capture.refusal();
        if (refusal == null) {
            if (capture.challenge() == null) {
                unchecked.put(Step.CHALLENGE_KNOWN, "no_options");
            }
            unchecked.put(Step.CHALLENGE_IN_TIME, "no_clock");
            if (capture.userId() == null) {
                unchecked.put(registration ? Step.CREDENTIAL_LIMIT : Step.CREDENTIAL_OWNER, "no_user");
            }
        } else {
            Stream.of(Step.CHALLENGE_KNOWN, Step.CHALLENGE_IN_TIME)
                    .filter(step -> !refusal.passed(step))
                    .forEach(step -> unchecked.put(step, "not_yet"));
        }
        return unchecked;
    }

    /** The step refused when the service checked it, whatever its result is now. */
    private static StepExplanation refusedThen(StepResult then, @Nullable StepExplanation now, @Nullable Cause cause) {
        if (now != null && now.state() == State.REFUSED) {
            return now;
        }
        // whether the challenge is used up cannot be checked again
        boolean passes = now != null && now.state() == State.PASSED && then.step() != Step.CHALLENGE_KNOWN;
        String expected = then.expected().isEmpty() && now != null && passes ? now.expected() : then.expected();
        return new StepExplanation(
                then.step(),
                State.REFUSED,
                expected,
                then.found(),
                passes ? "passes_now" : "",
                cause == null ? Cause.of(then.step()) : cause);
    }

    private static boolean isRegistration(String response) {
        try {
            JsonObject inner = JsonObject.parse(response, "").optionalObject("response");
            return inner != null && inner.names().contains("attestationObject");
        } catch (MalformedException e) {
            return false; // the first step refuses it
        }
    }
}
