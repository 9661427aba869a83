// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.RegistrationRequest;
import dev.porchlight.passkey.RegistrationResult;
import dev.porchlight.passkey.RegistrationResult.Refused;
import dev.porchlight.passkey.RegistrationResult.Registered;
import dev.porchlight.passkey.data.JsonWriter;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.server.auth.Enrolments;
import dev.porchlight.server.auth.Enrolments.Enrolment;
import dev.porchlight.server.http.Answer;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.telemetry.CeremonyTelemetry;
import org.jspecify.annotations.Nullable;

/** Registering a passkey: {@code /auth/passkey/register/*}. */
final class RegistrationRoutes {
    private final PasskeyService passkeys;
    private final Enrolments enrolments;
    private final Callers callers;
    private final CeremonyTelemetry telemetry;

    RegistrationRoutes(PasskeyService passkeys, Enrolments enrolments, Callers callers, CeremonyTelemetry telemetry) {
        this.passkeys = passkeys;
        this.enrolments = enrolments;
        this.callers = callers;
        this.telemetry = telemetry;
    }

    void mount(Router.Builder router) {
        router.get("/auth/passkey/register/options", this::options);
        router.post("/auth/passkey/register/finish", this::finish);
    }

    private Answer options(Exchange exchange) throws Exception {
        Caller caller = callers.registrant(exchange);
        String token = caller.enrolmentToken();
        Enrolment enrolment = token == null ? null : enrolments.find(token);
        if (enrolment != null
                && enrolment.firstOnly()
                && !passkeys.passkeys(enrolment.userId()).isEmpty()) {
            throw new ProblemException(SignupRoutes.EXISTS); // somebody was faster, and is no business of this caller's
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
        RegistrationResult result = telemetry.of(exchange, json, () -> {
            String token = caller.enrolmentToken();
            return token == null ? passkeys.finishRegistration(caller.userId(), json) : enrol(token, json);
        });
        return answer(exchange, result);
    }

    /** The token is spent first, so that it registers one passkey whatever happens at once, and given back if it did not. */
    private @Nullable RegistrationResult enrol(String token, String json) {
        Enrolment enrolment = enrolments.spend(token);
        if (enrolment == null) {
            return null;
        }
        boolean registered = false;
        try {
            RegistrationResult result = enrolment.firstOnly()
                    ? passkeys.finishFirstRegistration(enrolment.userId(), json)
                    : passkeys.finishRegistration(enrolment.userId(), json);
            registered = result.registered();
            return result;
        } finally {
            if (!registered) {
                enrolments.giveBack(token, enrolment);
            }
        }
    }

    private static Answer answer(Exchange exchange, @Nullable RegistrationResult result) throws ProblemException {
        if (result instanceof Registered registered) {
            return Answer.json(
                    201,
                    JsonWriter.object(json ->
                            json.text("credentialId", registered.credential().credentialId())));
        }
        if (result instanceof Refused refused) {
            int status = refused.step() == Step.CREDENTIAL_EXISTS ? 409 : 400;
            throw new ProblemException(
                    new Problem(status, refused.step().code(), "The passkey was not registered", refused.detail()));
        }
        exchange.responseHeader("WWW-Authenticate", "Bearer");
        throw new ProblemException(Callers.ENROLMENT_OVER);
    }
}
