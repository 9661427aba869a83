// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.canary;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.wire.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ProtocolException;
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
    private static final String REFUSED = "401 authentication_failed";

    /** Longer than any round, so that no canary removes the passkey of a concurrent round. */
    private static final Duration STALE = Duration.ofMinutes(5);

    private final Person person;
    private final Web admin;
    private final CanaryMetrics metrics;
    private final List<String> accepted = new ArrayList<>();
    private final Deque<Leftover> leftovers;
    private String passkey = "";
    private String used = "";
    private boolean verificationRequired;

    /**
     * A passkey whose removal failed.
     *
     * @param person the user who can sign in with it
     */
    record Leftover(Person person, String passkey) {}

    CanaryRun(Person person, Web admin, CanaryMetrics metrics, Deque<Leftover> leftovers) {
        this.leftovers = leftovers;
        this.person = person;
        this.admin = admin;
        this.metrics = metrics;
    }

    /** A request that may fail. */
    private interface Work<T> {
        T run() throws IOException;
    }

    /** The bad assertions that were accepted so far. */
    List<String> accepted() {
        return accepted;
    }

    void run() throws FailedStepException {
        removeLeftovers();
        try {
            register();
            login(person);
            present("replayed", () -> used);
            for (Mutation mutation : BadAssertions.of(verificationRequired)) {
                String options = loginOptions().body();
                present(BadAssertions.label(mutation), () -> person.browser().get(options, mutation));
            }
        } catch (FailedStepException | RuntimeException e) {
            try {
                remove();
            } catch (FailedStepException again) {
                e.addSuppressed(again); // the next round tries again
            }
            throw e;
        }
        remove();
    }

    private void register() throws FailedStepException {
        String body = new JsonObject().put("userId", person.userId()).toString();
        Web enrolling = step("enrollment", () -> {
            TestResponse response = expect(201, admin.post("/admin/enrollments", body));
            return person.web().bearer(response.json().string("token"));
        });
        TestResponse options = step("registration_options", () -> expect(200, enrolling.get(Person.REGISTER_OPTIONS)));
        passkey = step("registration", () -> {
            expect(201, person.finishRegistration(enrolling, options));
            return person.credentialId();
        });
    }

    private TestResponse loginOptions() throws FailedStepException {
        return step("login_options", () -> expect(200, person.options()));
    }

    /** Signs in, uses the token and the session, and returns the client for further requests. */
    private Web login(Person signer) throws FailedStepException {
        TestResponse options = loginOptions();
        TestResponse login = step("login", () -> {
            verificationRequired = options.json().string("userVerification", "").equals("required");
            used = signer.respond(options);
            TestResponse response = expect(200, person.finishLogin(used));
            if (!response.json().has("token") && response.cookie().isEmpty()) {
                throw new IOException("the response has neither a token nor a session");
            }
            return response;
        });
        Web byToken = person.web().bearer(login.field("token"));
        Web bySession = person.web().cookie(login.cookie());
        boolean token = !login.field("token").isEmpty();
        if (token) {
            step("token", () -> identify(byToken));
        }
        if (!login.cookie().isEmpty()) {
            step("session", () -> identify(bySession));
        }
        return token ? byToken : bySession;
    }

    private String identify(Web access) throws IOException {
        String userId = expect(200, access.get(Person.SESSION)).json().string("userId");
        if (!userId.equals(person.userId())) {
            throw new IOException("the session belongs to another user");
        }
        return userId;
    }

    /** Presents an assertion that must be refused with the response of every refused login. */
    private void present(String name, Work<String> assertion) throws FailedStepException {
        TestResponse response;
        try {
            response = person.finishLogin(assertion.run());
            if (response.status() >= 400 && !described(response).equals(REFUSED)) {
                throw new IOException(described(response));
            }
        } catch (IOException | RuntimeException e) {
            throw failed(name, e);
        }
        boolean bad = response.status() < 400;
        metrics.step(name, bad ? CanaryMetrics.ACCEPTED : CanaryMetrics.OK);
        if (bad) {
            accepted.add(name);
        }
    }

    /**
     * Removes passkeys of earlier rounds before another one is registered. Otherwise they could reach the limit per user during
     * an outage.
     */
    private void removeLeftovers() throws FailedStepException {
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

    private void remove() throws FailedStepException {
        if (!passkey.isEmpty()) {
            Leftover own = new Leftover(person, passkey);
            leftovers.add(own);
            remove(own);
        }
    }

    /** Signs in with a passkey and removes it, all leftovers, and passkeys that killed rounds left behind. */
    private void remove(Leftover signer) throws FailedStepException {
        Web access = login(signer.person());
        String own = signer.passkey();
        step("removal", () -> {
            List<JsonObject> all =
                    expect(200, access.get(Person.CREDENTIALS)).json().objects("passkeys");
            long created = 0;
            for (JsonObject one : all) {
                if (one.string("credentialId").equals(own)) {
                    created = time(one);
                }
            }
            for (JsonObject one : all) {
                String id = one.string("credentialId");
                boolean leftover =
                        leftovers.stream().anyMatch(it -> it.passkey().equals(id));
                boolean stale = Canary.USER_AGENT.equals(one.string("userAgent", "")) // registered by a canary
                        && time(one) < created - STALE.toMillis();
                if (!id.equals(own) && (leftover || stale)) {
                    expect(200, access.delete(path(id)));
                }
            }
            TestResponse removed = expect(200, access.delete(path(own)));
            leftovers.clear(); // the list had those that still existed
            return removed;
        });
    }

    private static long time(JsonObject credential) {
        return credential.get("createdAt") instanceof Long time ? time : 0;
    }

    /** Removing a user's last passkey needs {@code force}. */
    private static String path(String credentialId) {
        return Person.CREDENTIALS + '/' + credentialId + "?force=true";
    }

    private <T> T step(String name, Work<T> work) throws FailedStepException {
        try {
            T result = work.run();
            metrics.step(name, CanaryMetrics.OK);
            return result;
        } catch (IOException | RuntimeException e) {
            throw failed(name, e);
        }
    }

    private FailedStepException failed(String step, Exception cause) {
        metrics.step(step, CanaryMetrics.FAILED);
        boolean unchecked = cause instanceof UncheckedIOException;
        return new FailedStepException(step, unchecked && cause.getCause() instanceof IOException io ? io : cause);
    }

    private static TestResponse expect(int status, TestResponse response) throws IOException {
        if (response.status() != status) {
            throw new IOException(described(response));
        }
        return response;
    }

    /** The status, and the code of the problem if there is one. */
    private static String described(TestResponse response) {
        return (response.status() + " " + response.field("code")).strip();
    }

    /** A step with an unexpected result, which ends the round. */
    static final class FailedStepException extends Exception {
        private static final long serialVersionUID = 1;

        private final String step;

        FailedStepException(String step, Exception cause) {
            super(message(cause), cause);
            this.step = step;
        }

        /** Uses the class name if there is no message, as for a refused connection. */
        private static String message(Exception cause) {
            String message = cause.getMessage();
            return message == null || mayQuoteHeader(cause) ? cause.getClass().getName() : message;
        }

        /** The HTTP client quotes the header that it refuses, with the token or the cookie in it. */
        private static boolean mayQuoteHeader(Exception exception) {
            for (Throwable cause = exception; cause != null; cause = cause.getCause()) {
                if (cause instanceof RuntimeException || cause instanceof ProtocolException) {
                    return true;
                }
            }
            return false;
        }

        String step() {
            return step;
        }
    }
}
