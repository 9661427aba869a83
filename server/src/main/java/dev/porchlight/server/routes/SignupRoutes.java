// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.RegistrationRequest;
import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.storage.TakenNames;

/** Sign-up, where it is open: {@code POST /auth/signup}. Writes nothing. */
public final class SignupRoutes {
    private static final Problem CLOSED =
            Problem.of(403, "signup_closed", "Sign-up is closed. Ask for an enrollment link.");
    static final Problem EXISTS =
            Problem.of(409, "user_exists", "This user name is taken. Sign in, or choose another one.");

    private final Enrollments enrollments;
    private final TakenNames names;
    private final Sql sql;
    private final boolean open;

    public SignupRoutes(Enrollments enrollments, TakenNames names, Sql sql, boolean open) {
        this.enrollments = enrollments;
        this.names = names;
        this.sql = sql;
        this.open = open;
    }

    public void mount(Router.Builder router) {
        router.post("/auth/signup", Access.SIGNUP, this::signUp);
    }

    private Response signUp(Exchange exchange) throws Exception {
        if (!open) {
            throw new ProblemException(CLOSED);
        }
        JsonObject body = exchange.jsonObject();
        String userId = UserIdCheck.require(body.text("userId"));
        String displayName = body.optionalText("displayName");
        RegistrationRequest.of(null, displayName); // refuses a name that could not be stored
        if (names.isTaken(sql, userId)) {
            throw new ProblemException(EXISTS);
        }
        var issued = enrollments.forNewUser(userId, displayName);
        return Response.json(201, json -> json.text("token", issued.token()).number("expiresAt", issued.expiresAt()));
    }
}
