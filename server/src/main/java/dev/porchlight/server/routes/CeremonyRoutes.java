// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.AuthenticationResult;
import dev.porchlight.passkey.Operation;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.RegistrationRequest;
import dev.porchlight.passkey.RegistrationResult;
import dev.porchlight.passkey.RegistrationResult.Registered;
import dev.porchlight.passkey.RequestOptions;
import dev.porchlight.passkey.Step;
import dev.porchlight.server.auth.Browser;
import dev.porchlight.server.auth.Ceremonies;
import dev.porchlight.server.auth.CeremonyRequest;
import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.auth.Enrollments.Enrollment;
import dev.porchlight.server.auth.Registrant;
import dev.porchlight.server.auth.Sessions.Opened;
import dev.porchlight.server.auth.SignIn;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.config.SignupField;
import dev.porchlight.server.history.CeremonyEvent;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.people.Profile;
import dev.porchlight.server.people.ProfileChange;
import dev.porchlight.server.people.ProfileMember;
import dev.porchlight.server.storage.TakenNames;
import dev.porchlight.server.telemetry.CeremonyTelemetry;
import dev.porchlight.server.token.Tokens;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Signs users up and in: {@code /auth/signup}, {@code /auth/passkey/register/*} and {@code /auth/passkey/login/*}. A sign-up
 * writes nothing. A registration with an enrollment token also signs the user in. Thread-safe.
 */
public final class CeremonyRoutes {
    private static final Problem SIGNUP_CLOSED =
            Problem.of(403, "signup_closed", "Sign-up is closed. Ask for an enrollment link.");
    static final Problem USER_EXISTS =
            Problem.of(409, "user_exists", "This user name is taken. Sign in, or choose another one.");
    static final Problem FULL = Problem.of(
            409,
            "too_many_credentials",
            "This account has the maximum number of passkeys. Remove one before you add another.");

    /** The same response for every cause. The cause is in logs, metrics and traces. */
    private static final Problem LOGIN_FAILED =
            Problem.of(401, AuthenticationResult.ERROR_CODE, AuthenticationResult.ERROR);

    /** A syntax error of the sender, which reveals nothing about users or passkeys. */
    private static final Problem NOT_JSON = Problem.of(400, "malformed_json", "The request body is not valid JSON.");

    private final Config config;
    private final PasskeyService passkeys;
    private final Ceremonies ceremonies;
    private final CeremonyTelemetry telemetry;
    private final Callers callers;
    private final Enrollments enrollments;
    private final TakenNames names;
    private final Sql sql;
    private final Tokens tokens;
    private final SessionCookie cookie;

    public CeremonyRoutes(
            Config config,
            PasskeyService passkeys,
            Ceremonies ceremonies,
            CeremonyTelemetry telemetry,
            Callers callers,
            Enrollments enrollments,
            TakenNames names,
            Sql sql,
            Tokens tokens,
            SessionCookie cookie) {
        this.config = config;
        this.passkeys = passkeys;
        this.ceremonies = ceremonies;
        this.telemetry = telemetry;
        this.callers = callers;
        this.enrollments = enrollments;
        this.names = names;
        this.sql = sql;
        this.tokens = tokens;
        this.cookie = cookie;
    }

    public void mount(Router.Builder router) {
        router.post("/auth/signup", Access.SIGNUP, this::signUp);
        router.get("/auth/passkey/register/options", Access.REGISTRATION_OPTIONS, this::registrationOptions);
        router.post("/auth/passkey/register/finish", Access.REGISTRATION_FINISH, this::finishRegistration);
        router.get("/auth/passkey/login/options", Access.LOGIN_OPTIONS, this::loginOptions);
        router.post("/auth/passkey/login/finish", Access.LOGIN_FINISH, this::finishLogin);
    }

    private Response signUp(Exchange exchange) throws Exception {
        JsonObject body = exchange.jsonObject();
        String typed = body.text("userId");
        if (!config.get(Settings.SIGNUP)) {
            throw refused(exchange, Operation.START_REGISTRATION, typed, SIGNUP_CLOSED);
        }
        String userId = checked(exchange, Operation.START_REGISTRATION, typed);
        String displayName = body.optionalText("displayName");
        RegistrationRequest.of(null, displayName); // refuses a name that could not be stored
        Profile profile = profile(body);
        if (names.isTaken(sql, userId)) {
            throw refused(exchange, Operation.START_REGISTRATION, userId, USER_EXISTS);
        }
        var issued = enrollments.forNewUser(userId, displayName, profile);
        return Response.json(201, json -> json.text("token", issued.token()).number("expiresAt", issued.expiresAt()));
    }

    /** What a sign-up was asked for, and nothing else: an operator may trust the rest. */
    private Profile profile(JsonObject body) throws MalformedException {
        List<SignupField> asked = config.get(Settings.SIGNUP_FIELDS);
        Set<ProfileMember> allowed = asked.stream().map(SignupField::member).collect(Collectors.toUnmodifiableSet());
        Profile profile = ProfileChange.among(body, allowed).created();
        for (SignupField field : asked) {
            if (field.required() && profile.get(field.member()) == null) {
                throw body.malformed(field.member().code(), "missing");
            }
        }
        return profile;
    }

    private Response registrationOptions(Exchange exchange, Registrant caller) throws Exception {
        requireValid(exchange, caller);
        Enrollment enrollment = caller.enrollment();
        boolean firstOnly = enrollment != null && enrollment.firstOnly();
        if (!firstOnly
                && passkeys.passkeyCount(caller.userId())
                        >= config.relyingParty().maxPasskeysPerUser()) {
            // Before the device creates a key that cannot be stored.
            throw refused(exchange, Operation.START_REGISTRATION, caller.userId(), FULL);
        }
        // A registration with an enrollment also signs in, so the user must be present.
        boolean unprompted = enrollment == null && isConditional(exchange);
        var request = new RegistrationRequest(null, enrollment == null ? null : enrollment.displayName(), unprompted);
        PasskeyService service = passkeys.with(telemetry.listener(exchange, null, kind(unprompted)));
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
            throw refused(exchange, Operation.START_REGISTRATION, caller.userId(), USER_EXISTS);
        }
    }

    private String checked(Exchange exchange, Operation operation, String userId) throws ProblemException {
        try {
            return UserIdCheck.require(userId);
        } catch (ProblemException invalid) {
            throw refused(exchange, operation, userId, invalid.problem());
        }
    }

    /** Refuses a request before a ceremony has options, so that its support code is found with the typed name. */
    private ProblemException refused(Exchange exchange, Operation operation, String userId, Problem problem) {
        telemetry.refused(
                exchange, operation, problem.code(), userId, Objects.requireNonNullElse(problem.detail(), ""));
        return new ProblemException(problem);
    }

    /** The transaction of a registration checks its enrollment again, so it is checked here only to explain a refusal. */
    private Response finishRegistration(Exchange exchange, Registrant caller) throws Exception {
        String json = exchange.jsonText();
        Enrollment enrollment = caller.enrollment();
        boolean firstOnly = enrollment != null && enrollment.firstOnly();
        CeremonyRequest commit = ceremonies.registration(exchange.correlationId(), browser(exchange), caller);
        String kind = enrollment == null ? "" : CeremonyRequest.SIGNED_IN;
        RegistrationResult result = passkeys.with(telemetry.listener(exchange, json, kind))
                .finishRegistration(caller.userId(), json, firstOnly, commit);
        if (result instanceof Registered registered) {
            SignIn signIn = commit.signIn();
            Consumer<JsonWriter> passkey = members -> members.text(
                            "credentialId", registered.credential().credentialId())
                    .optionalJson("extensions", registered.extensions().toJson().orElse(null));
            return signIn == null ? Response.json(201, passkey) : signedIn(201, signIn, commit, passkey);
        }
        if (enrollment != null) {
            requireValid(exchange, callers.registrant(exchange));
        }
        RegistrationResult.Refused refused = (RegistrationResult.Refused) result;
        throw new ProblemException(
                switch (refused.step()) {
                    // The caller's access ended in the meantime.
                    case CREDENTIAL_KNOWN, USER_UNLOCKED ->
                        enrollment == null ? Callers.UNAUTHENTICATED : Callers.ENDED;
                    // The limit of passkeys also refuses a parallel sign-up.
                    case CREDENTIAL_LIMIT -> firstOnly ? USER_EXISTS : FULL;
                    default ->
                        new Problem(
                                refused.httpStatus(), refused.step().code(), refused.error(), refused.detail() + '.');
                });
    }

    private Response loginOptions(Exchange exchange) throws Exception {
        String typed = exchange.queryParameter("userId");
        String userId = typed == null ? null : checked(exchange, Operation.START_AUTHENTICATION, typed);
        PasskeyService service = passkeys.with(telemetry.listener(exchange, null, kind(isConditional(exchange))));
        RequestOptions options = userId == null ? service.startAuthentication() : service.startAuthentication(userId);
        return Response.json(200, options.toJson());
    }

    private static boolean isConditional(Exchange exchange) throws ProblemException {
        return "conditional".equals(exchange.queryParameter("mediation"));
    }

    /** Autofill requests options for every visitor, and most never use a passkey. */
    private static String kind(boolean conditional) {
        return conditional ? CeremonyEvent.AUTOFILL : "";
    }

    private Response finishLogin(Exchange exchange) throws Exception {
        String userId = UserIdCheck.inQuery(exchange);
        String json = exchange.jsonText();
        CeremonyRequest commit = ceremonies.request(exchange.correlationId(), browser(exchange));
        AuthenticationResult result =
                passkeys.with(telemetry.listener(exchange, json, "")).finishAuthentication(userId, json, commit);
        if (result instanceof AuthenticationResult.Refused refused
                && refused.step() == Step.RESPONSE
                && !JsonObject.isJson(json)) {
            throw new ProblemException(NOT_JSON);
        }
        SignIn signIn = commit.signIn();
        if (!result.verified() || signIn == null) {
            throw new ProblemException(LOGIN_FAILED);
        }
        return signedIn(200, signIn, commit, members -> {});
    }

    /**
     * The response to a committed sign-in: a token, a session cookie or both, as {@code LOGIN_RESULT} says.
     *
     * @param members writes the members that come before those of the sign-in
     */
    private Response signedIn(int status, SignIn signIn, CeremonyRequest request, Consumer<JsonWriter> members) {
        Opened session = request.opened();
        Tokens.Issued token =
                config.get(Settings.LOGIN_RESULT).token() ? tokens.issue(signIn, request.generation()) : null;
        Response response = Response.json(status, json -> {
            members.accept(json);
            if (token != null) {
                json.text("token", token.value())
                        .text("tokenType", "Bearer")
                        .number("expiresAt", token.expiresAt().toEpochMilli());
            }
            json.text("userId", signIn.userId());
        });
        return session == null
                ? response
                : response.with("Set-Cookie", cookie.keep(session.id(), config.get(Settings.SESSION_TTL_SECONDS)));
    }

    /** The browser of a sign-in, which replaces the session of its cookie. */
    private Browser browser(Exchange exchange) throws ProblemException {
        String userAgent = exchange.header("User-Agent");
        return new Browser(
                userAgent == null ? "" : userAgent, cookie.read(exchange), exchange.queryParameter("requestId"));
    }
}
