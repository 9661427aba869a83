// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.RegistrationRequest;
import dev.porchlight.passkey.RegistrationResult;
import dev.porchlight.passkey.RegistrationResult.Refused;
import dev.porchlight.passkey.RegistrationResult.Registered;
import dev.porchlight.passkey.Step;
import dev.porchlight.server.auth.Ceremonies;
import dev.porchlight.server.auth.CeremonyRequest;
import dev.porchlight.server.auth.Enrollments.Enrollment;
import dev.porchlight.server.auth.Registrant;
import dev.porchlight.server.auth.SignIn;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.telemetry.CeremonyTelemetry;

/** Registers a passkey: {@code /auth/passkey/register/*}. With an enrollment token, that also signs the user in. */
public final class RegistrationRoutes {
    private static final Problem FULL = Problem.of(
            409,
            "too_many_credentials",
            "This account has the maximum number of passkeys. Remove one before you add another.");

    private final PasskeyService passkeys;
    private final Ceremonies ceremonies;
    private final Callers callers;
    private final SignInResponses responses;
    private final CeremonyTelemetry telemetry;
    private final int maxPasskeysPerUser;
    private final TakenNames names;
    private final Sql sql;

    public RegistrationRoutes(
            PasskeyService passkeys,
            Ceremonies ceremonies,
            Callers callers,
            SignInResponses responses,
            CeremonyTelemetry telemetry,
            int maxPasskeysPerUser,
            TakenNames names,
            Sql sql) {
        this.passkeys = passkeys;
        this.ceremonies = ceremonies;
        this.callers = callers;
        this.responses = responses;
        this.telemetry = telemetry;
        this.maxPasskeysPerUser = maxPasskeysPerUser;
        this.names = names;
        this.sql = sql;
    }

    public void mount(Router.Builder router) {
        router.get("/auth/passkey/register/options", Access.REGISTRATION_OPTIONS, this::options);
        router.post("/auth/passkey/register/finish", Access.REGISTRATION_FINISH, this::finish);
    }

    private Response options(Exchange exchange, Registrant caller) throws Exception {
        requireValid(exchange, caller);
        Enrollment enrollment = caller.enrollment();
        boolean firstOnly = enrollment != null && enrollment.firstOnly();
        if (!firstOnly && passkeys.passkeyCount(caller.userId()) >= maxPasskeysPerUser) {
            throw new ProblemException(FULL); // before the device creates a key that cannot be stored
        }
        var request = RegistrationRequest.of(null, enrollment == null ? null : enrollment.displayName());
        PasskeyService service = passkeys.with(telemetry.listener(exchange));
        return Response.json(
                200,
                service.startRegistration(caller.userId(), request, firstOnly).toJson());
    }

    /** Requires a valid enrollment. A sign-up token is valid until the name is taken, as the name of a locked user is. */
    private void requireValid(Exchange exchange, Registrant caller) throws ProblemException {
        Enrollment enrollment = caller.enrollment();
        if (enrollment != null && !enrollment.firstOnly()) {
            callers.requireUnlocked(exchange, caller);
        } else if (enrollment != null && names.isTaken(sql, caller.userId())) {
            throw new ProblemException(SignupRoutes.EXISTS);
        }
    }

    /** The transaction of a registration checks its enrollment again, so it is checked here only to explain a refusal. */
    private Response finish(Exchange exchange, Registrant caller) throws Exception {
        String json = exchange.jsonText();
        String userAgent = exchange.header("User-Agent");
        Enrollment enrollment = caller.enrollment();
        CeremonyRequest commit = ceremonies.registration(
                exchange.correlationId(),
                userAgent == null ? "" : userAgent,
                caller.grant(),
                enrollment,
                enrollment == null ? null : responses.cookie().read(exchange));
        boolean firstOnly = enrollment != null && enrollment.firstOnly();
        RegistrationResult result = passkeys.with(telemetry.listener(exchange, json))
                .finishRegistration(caller.userId(), json, firstOnly, commit);
        if (enrollment != null && !result.registered()) {
            requireValid(exchange, callers.registrant(exchange));
        }
        return response(
                result,
                commit,
                enrollment == null ? Callers.UNAUTHENTICATED : Callers.ENROLLMENT_OVER,
                firstOnly ? SignupRoutes.EXISTS : FULL);
    }

    /**
     * The response for a result.
     *
     * @param over the refusal if the caller's access ended in the meantime
     * @param full the refusal at the limit of passkeys, which also refuses a parallel sign-up
     */
    private Response response(RegistrationResult result, CeremonyRequest request, Problem over, Problem full)
            throws ProblemException {
        if (result instanceof Registered registered) {
            SignIn signIn = request.signIn();
            String credentialId = registered.credential().credentialId();
            return signIn == null
                    ? Response.json(201, json -> json.text("credentialId", credentialId))
                    : responses.of(201, signIn, request, json -> json.text("credentialId", credentialId));
        }
        Refused refused = (Refused) result;
        if (refused.step() == Step.CREDENTIAL_KNOWN || refused.step() == Step.USER_UNLOCKED) {
            throw new ProblemException(over);
        }
        if (refused.step() == Step.CREDENTIAL_LIMIT) {
            throw new ProblemException(full);
        }
        throw new ProblemException(
                new Problem(refused.httpStatus(), refused.step().code(), refused.error(), refused.detail() + '.'));
    }
}
