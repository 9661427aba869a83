// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.RegistrationRequest;
import dev.porchlight.passkey.data.JsonObject;
import dev.porchlight.passkey.data.JsonWriter;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.auth.Enrolments;
import dev.porchlight.server.http.Answer;
import dev.porchlight.server.http.Cost;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Router;

/** Signing up, where anybody may: {@code POST /auth/signup}. */
final class SignupRoutes {
    private static final Problem CLOSED =
            Problem.of(403, "signup_closed", "New users are not accepted here; ask for an enrolment link");
    static final Problem EXISTS = Problem.of(409, "user_exists", "This user has a passkey already: sign in");

    private final PasskeyService passkeys;
    private final Enrolments enrolments;
    private final AuditLog audit;
    private final boolean open;

    SignupRoutes(PasskeyService passkeys, Enrolments enrolments, AuditLog audit, boolean open) {
        this.passkeys = passkeys;
        this.enrolments = enrolments;
        this.audit = audit;
        this.open = open;
    }

    void mount(Router.Builder router) {
        router.post("/auth/signup", Cost.SIGNUP, this::signUp);
    }

    private Answer signUp(Exchange exchange) throws Exception {
        if (!open) {
            throw new ProblemException(CLOSED);
        }
        JsonObject body = JsonBody.object(exchange);
        String userId = UserIdCheck.require(body.text("userId"));
        String displayName = body.optionalText("displayName");
        RegistrationRequest.of(null, displayName); // refuses a name that could not be stored
        if (passkeys.passkeyCount(userId) > 0) {
            throw new ProblemException(EXISTS);
        }
        var issued = enrolments.forNewUser(userId, displayName);
        audit.append(AuditEvent.of("signup", userId, exchange.correlationId()));
        return Answer.json(
                201,
                JsonWriter.object(json -> json.text("token", issued.token()).number("expiresAt", issued.expiresAt())));
    }
}
