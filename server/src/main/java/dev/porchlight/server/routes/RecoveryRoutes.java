// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonObject;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.server.auth.Caller;
import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.auth.Recovery;
import dev.porchlight.server.auth.Recovery.Attempt;
import dev.porchlight.server.auth.Recovery.Fault;
import dev.porchlight.server.auth.RecoveryCodes;
import dev.porchlight.server.auth.Session;
import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.telemetry.CeremonyTelemetry;
import java.util.List;

/**
 * Ways to a passkey on another device: {@code /auth/passkey/devices} for a signed-in user, and recovery codes at {@code
 * /auth/recovery}. All refused codes get the same response, except a valid one of a user who cannot add a passkey.
 */
public final class RecoveryRoutes {
    private static final String RECOVERY = "/auth/recovery";
    private static final Problem OFF =
            Problem.of(403, "recovery_off", "Recovery codes are turned off. Ask for an enrollment link.");
    private static final Problem REFUSED = Problem.of(
            401,
            "recovery_refused",
            "The user name and the recovery code were not accepted. Check both, or use another code.");
    private static final Problem HAS_ROLE = Problem.of(
            409, "recovery_unavailable", "Operators have no recovery codes. Ask an owner for an enrollment link.");
    private static final Problem NOT_WAITING = Problem.of(404, "not_found", "No recovery is waiting.");

    private final Recovery recovery;
    private final boolean on;
    private final PasskeyService passkeys;
    private final PasskeyConfig config;
    private final CeremonyTelemetry telemetry;

    /**
     * The routes of recovery.
     *
     * @param on whether recovery codes can be used
     */
    public RecoveryRoutes(
            Recovery recovery, boolean on, PasskeyService passkeys, PasskeyConfig config, CeremonyTelemetry telemetry) {
        this.recovery = recovery;
        this.on = on;
        this.passkeys = passkeys;
        this.config = config;
        this.telemetry = telemetry;
    }

    public void mount(Router.Builder router) {
        router.post("/auth/passkey/devices", Access.RECENT_USER, this::addDevice);
        router.get(RECOVERY, Access.USER, this::show);
        router.post(RECOVERY, Access.RECOVERY, this::recover);
        router.add(Method.DELETE, RECOVERY, Access.USER, this::cancel);
        router.post(RECOVERY + "/codes", Access.RECENT_USER, this::create);
    }

    private Response addDevice(Exchange exchange, Caller caller) throws ProblemException {
        if (passkeys.passkeyCount(caller.userId()) >= config.maxPasskeysPerUser()) {
            throw new ProblemException(CeremonyRoutes.FULL);
        }
        Enrollments.Issued issued = recovery.addDevice(caller);
        String url = EnrollmentRoutes.url(config.origin(), issued.token());
        return Response.json(
                201, json -> json.text("url", url).text("qr", QrCode.svg(url)).number("expiresAt", issued.expiresAt()));
    }

    private Response show(Exchange exchange, Caller caller) {
        RecoveryCodes.State state = recovery.state(caller.userId());
        Long createdAt = state.createdAt();
        Long startedAt = state.startedAt();
        Session session = caller.session();
        // Like a new passkey, see AccountRoutes. The time of a sign-in is in whole seconds.
        boolean isNew = createdAt != null
                && session != null
                && session.lastSignIn() > 0
                && createdAt > session.lastSignIn()
                && createdAt < session.authTime() + 1_000;
        return Response.json(
                200,
                json -> json.bool("available", on && recovery.isAllowed(caller.userId()))
                        .number("remaining", state.remaining())
                        .optionalNumber("createdAt", createdAt)
                        .optionalBool("newSinceLastLogin", isNew ? true : null)
                        .optionalNumber("startedAt", on ? startedAt : null)
                        .optionalNumber("validFrom", on && startedAt != null ? recovery.validFrom(startedAt) : null));
    }

    private Response create(Exchange exchange, Caller caller) throws ProblemException {
        requireOn();
        List<String> codes = recovery.createCodes(caller).orElseThrow(() -> new ProblemException(HAS_ROLE));
        return Response.json(201, json -> json.texts("codes", codes));
    }

    private void requireOn() throws ProblemException {
        if (!on) {
            throw new ProblemException(OFF);
        }
    }

    private Response recover(Exchange exchange) throws Exception {
        JsonObject body = exchange.jsonObject();
        String typed = body.text("userId");
        String code = body.text("code");
        if (!on) {
            telemetry.refused(exchange, Operation.START_REGISTRATION, OFF.code(), typed, "");
            throw new ProblemException(OFF);
        }
        String fault = UserIds.fault(typed);
        if (fault != null) {
            telemetry.refused(exchange, Operation.START_REGISTRATION, Fault.UNKNOWN_USER.code(), typed, fault);
        }
        String userId = UserIdCheck.require(typed);
        Attempt attempt = recovery.attempt(userId, code, exchange.correlationId());
        if (attempt.fault() != null) {
            telemetry.refused(
                    exchange, Operation.START_REGISTRATION, attempt.fault().code(), userId, attempt.found());
            throw new ProblemException(attempt.fault() == Fault.FULL ? CeremonyRoutes.FULL : REFUSED);
        }
        Enrollments.Issued issued = attempt.token();
        return issued == null
                ? Response.json(202, json -> json.number("validFrom", attempt.validFrom()))
                : Response.json(
                        201, json -> json.text("token", issued.token()).number("expiresAt", issued.expiresAt()));
    }

    private Response cancel(Exchange exchange, Caller caller) throws ProblemException {
        if (!recovery.cancel(caller)) {
            throw new ProblemException(NOT_WAITING);
        }
        return Response.of(204);
    }
}
