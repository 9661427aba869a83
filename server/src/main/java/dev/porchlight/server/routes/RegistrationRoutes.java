// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.passkey.CeremonyCommit;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.RegistrationRequest;
import dev.porchlight.passkey.RegistrationResult;
import dev.porchlight.passkey.RegistrationResult.Refused;
import dev.porchlight.passkey.RegistrationResult.Registered;
import dev.porchlight.passkey.data.JsonWriter;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.server.auth.Ceremonies;
import dev.porchlight.server.auth.Enrolments;
import dev.porchlight.server.auth.Enrolments.Enrolment;
import dev.porchlight.server.http.Answer;
import dev.porchlight.server.http.Cost;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.telemetry.CeremonyTelemetry;

/** Registering a passkey: {@code /auth/passkey/register/*}. */
final class RegistrationRoutes {
    private static final Problem FULL = Problem.of(
            409,
            "too_many_credentials",
            "This account has the maximum number of passkeys. Remove one before you add another");

    private final PasskeyService passkeys;
    private final Ceremonies ceremonies;
    private final Enrolments enrolments;
    private final Callers callers;
    private final CeremonyTelemetry telemetry;
    private final int maxPasskeysPerUser;

    RegistrationRoutes(
            PasskeyService passkeys,
            Ceremonies ceremonies,
            Enrolments enrolments,
            Callers callers,
            CeremonyTelemetry telemetry,
            int maxPasskeysPerUser) {
        this.passkeys = passkeys;
        this.ceremonies = ceremonies;
        this.enrolments = enrolments;
        this.callers = callers;
        this.telemetry = telemetry;
        this.maxPasskeysPerUser = maxPasskeysPerUser;
    }

    void mount(Router.Builder router) {
        router.get("/auth/passkey/register/options", Cost.OPTIONS, this::options);
        router.post("/auth/passkey/register/finish", Cost.FINISH, this::finish);
    }

    private Answer options(Exchange exchange) throws Exception {
        Caller caller = callers.registrant(exchange);
        String token = caller.enrolmentToken();
        Enrolment enrolment = token == null ? null : enrolments.find(token);
        int existing = passkeys.passkeyCount(caller.userId());
        if (enrolment != null && enrolment.firstOnly() && existing > 0) {
            throw new ProblemException(SignupRoutes.EXISTS); // somebody was faster, and is no business of this caller's
        }
        if (existing >= maxPasskeysPerUser) {
            throw new ProblemException(FULL); // before the device creates a key that cannot be stored
        }
        var request = RegistrationRequest.of(null, enrolment == null ? null : enrolment.displayName());
        return telemetry.of(
                exchange,
                () -> Answer.json(
                        200,
                        passkeys.startRegistration(caller.userId(), request).toJson()));
    }

    private Answer finish(Exchange exchange) throws Exception {
        Caller caller = callers.registrant(exchange);
        String json = JsonBody.text(exchange);
        String token = caller.enrolmentToken();
        CeremonyCommit commit =
                ceremonies.registration(exchange.correlationId(), exchange.synthetic(), caller.credentialId());
        if (token == null) {
            return answer(
                    telemetry.of(
                            exchange, json, () -> passkeys.finishRegistration(caller.userId(), json, false, commit)),
                    FULL);
        }
        Enrolment enrolment = enrolments.spend(token);
        if (enrolment == null) {
            exchange.responseHeader("WWW-Authenticate", "Bearer");
            throw new ProblemException(Callers.ENROLMENT_OVER);
        }
        RegistrationResult result = telemetry.of(exchange, json, () -> enrol(token, enrolment, json, commit));
        return answer(result, enrolment.firstOnly() ? SignupRoutes.EXISTS : FULL);
    }

    /** The token is spent first, so that it registers one passkey whatever happens at once, and given back if it did not. */
    private RegistrationResult enrol(String token, Enrolment enrolment, String json, CeremonyCommit commit) {
        boolean registered = false;
        try {
            RegistrationResult result =
                    passkeys.finishRegistration(enrolment.userId(), json, enrolment.firstOnly(), commit);
            registered = result.registered();
            return result;
        } finally {
            if (!registered) {
                enrolments.giveBack(token, enrolment);
            }
        }
    }

    /** The response for a result; {@code full} is the refusal of one passkey too many, which a parallel sign-up also meets. */
    private static Answer answer(RegistrationResult result, Problem full) throws ProblemException {
        if (result instanceof Registered registered) {
            return Answer.json(
                    201,
                    JsonWriter.object(json ->
                            json.text("credentialId", registered.credential().credentialId())));
        }
        Refused refused = (Refused) result;
        if (refused.step() == Step.UNKNOWN_CREDENTIAL) {
            throw new ProblemException(Callers.UNAUTHENTICATED); // the caller's own passkey was removed in the meantime
        }
        if (refused.step() == Step.TOO_MANY_CREDENTIALS) {
            throw new ProblemException(full);
        }
        int status = refused.step() == Step.CREDENTIAL_EXISTS ? 409 : 400;
        throw new ProblemException(
                new Problem(status, refused.step().code(), "The passkey was not registered", refused.detail()));
    }
}
