// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.canary;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.tamper.Mutation;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * One round of the canary: registers a passkey, signs in, uses the token and the session, and then presents tampered assertions.
 * Ends at the first step with an unexpected result; an accepted bad assertion is recorded and the round continues. Not
 * thread-safe.
 */
final class CanaryRun {
    private static final String REGISTER = "/auth/passkey/register/";
    private static final String LOGIN = "/auth/passkey/login/";
    private static final String CREDENTIALS = "/auth/passkey/credentials";
    private static final String REFUSED = "401 authentication_failed";

    /** Longer than any round, so that no canary removes the passkey of a concurrent round. */
    private static final Duration STALE = Duration.ofMinutes(5);

    private final ServiceClient.Requests service;
    private final SoftBrowser browser;
    private final String user;
    private final String query;
    private final CanaryMetrics metrics;
    private final List<String> accepted = new ArrayList<>();
    private final Deque<Leftover> leftovers;
    private String passkey = "";
    private String used = "";
    private boolean verificationRequired;

    /**
     * A passkey whose removal failed.
     *
     * @param browser the browser that can sign in with it
     */
    record Leftover(SoftBrowser browser, String passkey) {}

    CanaryRun(
            ServiceClient.Requests service,
            SoftBrowser browser,
            String user,
            CanaryMetrics metrics,
            Deque<Leftover> leftovers) {
        this.leftovers = leftovers;
        this.service = service;
        this.browser = browser;
        this.user = user;
        this.query = "?userId=" + URLEncoder.encode(user, UTF_8);
        this.metrics = metrics;
    }

    /** A request that may fail. */
    private interface Work<T> {
        T run() throws IOException, InterruptedException, MalformedException;
    }

    /** The bad assertions that were accepted so far. */
    List<String> accepted() {
        return accepted;
    }

    void run() throws FailedStepException, InterruptedException {
        removeLeftovers();
        try {
            register();
            login(browser);
            present("replayed", () -> used);
            for (Mutation mutation : BadAssertions.of(verificationRequired)) {
                String options = loginOptions();
                present(BadAssertions.label(mutation), () -> browser.get(options, mutation));
            }
        } catch (FailedStepException | InterruptedException | RuntimeException e) {
            try {
                remove();
            } catch (FailedStepException again) {
                e.addSuppressed(again); // the next round tries again
            }
            throw e;
        }
        remove();
    }

    private void register() throws FailedStepException, InterruptedException {
        String body = JsonWriter.object(json -> json.text("userId", user));
        String bearer = step(
                "enrollment",
                () -> "Bearer "
                        + JsonObject.parse(body(201, service.postAsAdmin("/admin/enrollments", body)), "response")
                                .text("token"));
        String options = step(
                "registration_options", () -> body(200, service.get(REGISTER + "options", "Authorization", bearer)));
        passkey = step("registration", () -> {
            String response = browser.create(options);
            expect(201, service.post(REGISTER + "finish", response, "Authorization", bearer));
            return JsonObject.parse(response, "credential").text("id");
        });
    }

    private String loginOptions() throws FailedStepException, InterruptedException {
        return step("login_options", () -> body(200, service.get(LOGIN + "options" + query)));
    }

    /** Signs in, uses the token and the session, and returns the headers that authenticate further requests. */
    private String[] login(SoftBrowser signer) throws FailedStepException, InterruptedException {
        String options = loginOptions();
        List<String> access = new ArrayList<>();
        String cookie = step("login", () -> {
            verificationRequired =
                    "required".equals(JsonObject.parse(options, "options").optionalText("userVerification"));
            used = signer.get(options);
            HttpResponse<String> response = expect(200, service.post(LOGIN + "finish" + query, used));
            String token = JsonObject.parse(response.body(), "response").optionalText("token");
            String session = response.headers().firstValue("Set-Cookie").orElse("");
            if (token != null) {
                access.addAll(List.of("Authorization", "Bearer " + token));
            } else if (session.isEmpty()) {
                throw new IOException("the response has neither a token nor a session");
            }
            return session.replaceFirst(";.*", "");
        });
        if (!access.isEmpty()) {
            step("token", () -> identify(access.toArray(String[]::new)));
        }
        if (!cookie.isEmpty()) {
            step("session", () -> identify("Cookie", cookie));
        }
        return access.isEmpty() ? new String[] {"Cookie", cookie} : access.toArray(String[]::new);
    }

    private String identify(String... access) throws IOException, InterruptedException, MalformedException {
        String userId = JsonObject.parse(body(200, service.get("/auth/session", access)), "response")
                .text("userId");
        if (!userId.equals(user)) {
            throw new IOException("the session belongs to another user");
        }
        return userId;
    }

    /** Presents an assertion that must be refused with the response of every refused login. */
    private void present(String name, Work<String> assertion) throws FailedStepException, InterruptedException {
        HttpResponse<String> response;
        try {
            response = service.post(LOGIN + "finish" + query, assertion.run());
            if (response.statusCode() >= 400 && !described(response).equals(REFUSED)) {
                throw new IOException(described(response));
            }
        } catch (IOException | MalformedException | RuntimeException e) {
            throw failed(name, e);
        }
        boolean bad = response.statusCode() < 400;
        metrics.step(name, bad ? CanaryMetrics.ACCEPTED : CanaryMetrics.OK);
        if (bad) {
            accepted.add(name);
        }
    }

    /**
     * Removes passkeys of earlier rounds before another one is registered. Otherwise they could reach the limit per user during
     * an outage.
     */
    private void removeLeftovers() throws FailedStepException, InterruptedException {
        Leftover leftover = leftovers.poll();
        if (leftover == null) {
            return;
        }
        leftovers.add(leftover); // the next round tries another one
        try {
            remove(leftover);
        } catch (FailedStepException e) {
            boolean unusable = REFUSED.equals(e.getMessage()) || e.getCause() instanceof RuntimeException;
            if (!e.step().equals("login") || !unusable) {
                throw e;
            }
            // It may have been removed in the meantime: the sign-in with a new passkey shows that.
        }
    }

    private void remove() throws FailedStepException, InterruptedException {
        if (!passkey.isEmpty()) {
            Leftover own = new Leftover(browser, passkey);
            leftovers.add(own);
            remove(own);
        }
    }

    /** Signs in with a passkey and removes it, all leftovers, and passkeys that killed rounds left behind. */
    private void remove(Leftover signer) throws FailedStepException, InterruptedException {
        String[] access = login(signer.browser());
        String own = signer.passkey();
        step("removal", () -> {
            List<JsonObject> all = JsonObject.parse(body(200, service.get(CREDENTIALS, access)), "response")
                    .objects("credentials");
            long created = 0;
            for (JsonObject one : all) {
                if (one.text("credentialId").equals(own)) {
                    created = time(one);
                }
            }
            for (JsonObject one : all) {
                String id = one.text("credentialId");
                boolean leftover =
                        leftovers.stream().anyMatch(it -> it.passkey().equals(id));
                boolean stale = ServiceClient.USER_AGENT.equals(one.optionalText("userAgent")) // registered by a canary
                        && time(one) < created - STALE.toMillis();
                if (!id.equals(own) && (leftover || stale)) {
                    expect(200, service.delete(path(id), access));
                }
            }
            HttpResponse<String> removed = expect(200, service.delete(path(own), access));
            leftovers.clear(); // the list had those that still existed
            return removed;
        });
    }

    private static long time(JsonObject credential) throws MalformedException {
        Long time = credential.optionalInteger("createdAt");
        return time == null ? 0 : time;
    }

    /** Removing a user's last passkey needs {@code force}. */
    private static String path(String credentialId) {
        return CREDENTIALS + '/' + credentialId + "?force=true";
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

    private static String body(int status, HttpResponse<String> response) throws IOException {
        return expect(status, response).body();
    }

    private static HttpResponse<String> expect(int status, HttpResponse<String> response) throws IOException {
        if (response.statusCode() != status) {
            throw new IOException(described(response));
        }
        return response;
    }

    /** The status, and the code of the problem if there is one. */
    private static String described(HttpResponse<String> response) {
        try {
            return response.statusCode() + " "
                    + JsonObject.parse(response.body(), "response").text("code");
        } catch (MalformedException noProblem) {
            return Integer.toString(response.statusCode());
        }
    }
}
