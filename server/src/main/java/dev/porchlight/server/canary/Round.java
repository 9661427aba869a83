// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.canary;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.auth.CanaryUser;
import dev.porchlight.server.canary.OwnDoor.Visit;
import dev.porchlight.server.config.Settings.LoginResult;
import dev.porchlight.testkit.Passkey;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.tamper.Lie;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * One round: a new passkey is registered and signs in, what that yields is used, and then it lies. Ends at the first step that
 * does not go as it should; but a lie that is accepted is noted, and the others are told all the same. Used once, by one thread.
 */
final class Round {
    /** All that it asks. */
    static final Set<String> ROUTES = Set.of(
            "/auth/passkey/register/options",
            "/auth/passkey/register/finish",
            "/auth/passkey/login/options",
            "/auth/passkey/login/finish",
            "/auth/session");

    private static final String REGISTER = "/auth/passkey/register/";
    private static final String LOGIN = "/auth/passkey/login/";
    private static final String REFUSED = "401 authentication_failed";
    private static final String USER = "?userId=" + URLEncoder.encode(CanaryUser.ID, UTF_8);

    private final OwnDoor door;
    private final CanaryAccount account;
    private final SoftBrowser browser;
    private final LoginResult yields;
    private final CanaryMetrics metrics;
    private final Visit visit;
    private final List<String> accepted = new ArrayList<>();
    private String spent = "";

    Round(
            OwnDoor door,
            CanaryAccount account,
            SoftBrowser browser,
            LoginResult yields,
            CanaryMetrics metrics,
            Visit visit) {
        this.door = door;
        this.account = account;
        this.browser = browser;
        this.yields = yields;
        this.metrics = metrics;
        this.visit = visit;
    }

    /** Something that may fail in the ways a request can. */
    private interface Work<T> {
        T run() throws IOException, InterruptedException, MalformedException;
    }

    /** The lies that were accepted so far. */
    List<String> accepted() {
        return accepted;
    }

    void run(List<Lie> lies) throws FailedStepException, InterruptedException {
        try {
            register();
            login();
            lie("replayed", () -> spent);
            for (Lie lie : lies) {
                String options = loginOptions();
                lie(Lies.label(lie), () -> browser.get(options, lie));
            }
        } catch (FailedStepException | InterruptedException | RuntimeException e) {
            try {
                tidy();
            } catch (FailedStepException again) {
                e.addSuppressed(again); // the first is the one to tell; what is left is removed by a later round
            }
            throw e;
        }
        tidy();
    }

    private void register() throws FailedStepException, InterruptedException {
        String bearer = "Bearer " + step("enrolment", account::enrol);
        String options = step(
                "registration_options",
                () -> body(200, door.get(REGISTER + "options", visit, "Authorization", bearer)));
        step(
                "registration",
                () -> body(
                        201, door.post(REGISTER + "finish", browser.create(options), visit, "Authorization", bearer)));
    }

    private String loginOptions() throws FailedStepException, InterruptedException {
        return step("login_options", () -> body(200, door.get(LOGIN + "options" + USER, visit)));
    }

    /** Signs in and uses what that yields. */
    private void login() throws FailedStepException, InterruptedException {
        String options = loginOptions();
        HttpResponse<String> answer = step("login", () -> {
            spent = browser.get(options);
            return expect(200, door.post(LOGIN + "finish" + USER, spent, visit));
        });
        if (yields.token()) {
            step("token", () -> {
                String token = JsonObject.parse(answer.body(), "answer").text("token");
                return identify(door.get("/auth/session", visit, "Authorization", "Bearer " + token));
            });
        }
        if (yields.session()) {
            step("session", () -> {
                String cookie = answer.headers().firstValue("Set-Cookie").orElse("");
                return identify(door.get("/auth/session", visit, "Cookie", cookie.replaceFirst(";.*", "")));
            });
        }
    }

    private static String identify(HttpResponse<String> answer) throws IOException, MalformedException {
        String userId = JsonObject.parse(body(200, answer), "answer").text("userId");
        if (!CanaryUser.is(userId)) {
            throw new IOException("it is somebody else's");
        }
        return userId;
    }

    /** Hands in what must be refused, and refused as everything is: with an answer that says no cause. */
    private void lie(String name, Work<String> told) throws FailedStepException, InterruptedException {
        HttpResponse<String> answer;
        try {
            answer = door.post(LOGIN + "finish" + USER, told.run(), visit);
            if (answer.statusCode() >= 400 && !described(answer).equals(REFUSED)) {
                throw new IOException(described(answer));
            }
        } catch (IOException | MalformedException | RuntimeException e) {
            throw failed(name, e);
        }
        boolean believed = answer.statusCode() < 400;
        metrics.step(name, believed ? CanaryMetrics.ACCEPTED : CanaryMetrics.OK);
        if (believed) {
            accepted.add(name);
            account.believed(name, visit.correlationId());
        }
    }

    private void tidy() throws FailedStepException, InterruptedException {
        for (Passkey passkey : browser.authenticator().passkeys()) {
            step("removal", () -> {
                account.remove(passkey.id());
                return passkey;
            });
        }
    }

    private <T> T step(String name, Work<T> work) throws FailedStepException, InterruptedException {
        try {
            T result = work.run();
            metrics.step(name, CanaryMetrics.OK);
            return result;
        } catch (IOException | MalformedException | RuntimeException e) {
            throw failed(name, e);
        }
    }

    private FailedStepException failed(String step, Exception cause) {
        metrics.step(step, CanaryMetrics.FAILED);
        return new FailedStepException(step, cause);
    }

    private static String body(int status, HttpResponse<String> answer) throws IOException {
        return expect(status, answer).body();
    }

    private static HttpResponse<String> expect(int status, HttpResponse<String> answer) throws IOException {
        if (answer.statusCode() != status) {
            throw new IOException(described(answer));
        }
        return answer;
    }

    /** The status, and the code of the problem if it is one. */
    private static String described(HttpResponse<String> answer) {
        try {
            return answer.statusCode() + " "
                    + JsonObject.parse(answer.body(), "answer").text("code");
        } catch (MalformedException noProblem) {
            return Integer.toString(answer.statusCode());
        }
    }
}
