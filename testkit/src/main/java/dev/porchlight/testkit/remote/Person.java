// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.remote;

import dev.porchlight.testkit.Passkey;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.List;
import java.util.function.Function;

/**
 * A user of a running service, with a browser and an authenticator: signs up, registers passkeys and signs in over HTTP, as the
 * pages of the service do. Immutable except for the passkeys.
 */
public final class Person {
    public static final String SIGNUP = "/auth/signup";
    public static final String REGISTER_OPTIONS = "/auth/passkey/register/options";
    public static final String REGISTER_FINISH = "/auth/passkey/register/finish";
    public static final String LOGIN_OPTIONS = "/auth/passkey/login/options";
    public static final String LOGIN_FINISH = "/auth/passkey/login/finish";
    public static final String CREDENTIALS = "/auth/passkey/credentials";
    public static final String SESSION = "/auth/session";

    private final Web web;
    private final String userId;
    private final SoftBrowser browser;
    private final Function<TestResponse, String> responder;

    /** A user of the service whose pages have this origin. */
    public Person(Web web, String origin, String userId, SoftAuthenticator authenticator) {
        this(web, userId, new SoftBrowser(origin, authenticator));
    }

    public Person(Web web, String userId, SoftBrowser browser) {
        this(web, userId, browser.picks(userId), options -> browser.get(options.body()));
    }

    private Person(Web web, String userId, SoftBrowser browser, Function<TestResponse, String> responder) {
        this.web = web;
        this.userId = userId;
        this.browser = browser;
        this.responder = responder;
    }

    /** The same user over another transport, such as a connection to another instance. */
    public Person at(Transport transport) {
        return at(new Web(transport));
    }

    public Person at(Web other) {
        return new Person(other, userId, browser, responder);
    }

    /** The same user, who signs in with a passkey outside the browser: the function creates the response to login options. */
    public Person responding(Function<TestResponse, String> by) {
        return new Person(web, userId, browser, by);
    }

    public Web web() {
        return web;
    }

    public String userId() {
        return userId;
    }

    public SoftBrowser browser() {
        return browser;
    }

    /** Requests an enrollment token by open sign-up. */
    public TestResponse signUp() {
        return web.post(SIGNUP, new JsonObject().put("userId", userId).toString());
    }

    /** The enrollment token of an open sign-up. */
    public String enrollmentToken() {
        return signUp().expect(201).json().string("token");
    }

    /** Registers a passkey with this bearer token. */
    public TestResponse register(String bearer) {
        return register(web.bearer(bearer));
    }

    public TestResponse register(Web authorized) {
        return finishRegistration(authorized, authorized.get(REGISTER_OPTIONS).expect(200));
    }

    /** Registers a passkey with these options. */
    public TestResponse finishRegistration(Web authorized, TestResponse options) {
        return authorized.post(REGISTER_FINISH, browser.create(options.body()));
    }

    /** Signs up and registers a first passkey. */
    public Person enroll() {
        register(enrollmentToken()).expect(201);
        return this;
    }

    /** Requests login options. */
    public TestResponse options() {
        return web.get(LOGIN_OPTIONS + Web.user(userId));
    }

    public String loginOptions() {
        return options().expect(200).body();
    }

    /** The browser's response to these options. */
    public String respond(TestResponse options) {
        return responder.apply(options);
    }

    /** The browser's response to new options. */
    public String assertion() {
        return respond(options().expect(200));
    }

    public TestResponse finishLogin(String assertion) {
        return web.post(LOGIN_FINISH + Web.user(userId), assertion);
    }

    public TestResponse login() {
        return finishLogin(assertion());
    }

    /** Signs in for a request of an application, see {@link OpenIdClient#signInFor}. */
    public TestResponse loginFor(String requestId) {
        return web.post(LOGIN_FINISH + Web.user(userId) + "&requestId=" + requestId, assertion());
    }

    /** Signs in. Returns the options response if that was refused. */
    public TestResponse tryLogin() {
        TestResponse options = options();
        return options.ok() ? finishLogin(respond(options)) : options;
    }

    /** A login with a passkey that the options do not name. */
    public TestResponse loginRegardless() {
        return finishLogin(browser.get(forAnyPasskey(loginOptions())));
    }

    /** The same options, for any passkey. */
    public static String forAnyPasskey(String options) {
        return JsonObject.parse(options).put("allowCredentials", List.of()).toString();
    }

    /** Signs in and returns a client with the token. */
    public Web byToken() {
        return web.bearer(login().expect(200).json().string("token"));
    }

    /** Signs in and returns a client with the session cookie. */
    public Web bySession() {
        return web.cookie(cookie(login().expect(200)));
    }

    /** The session cookie of a login. */
    public static String cookie(TestResponse login) {
        String cookie = login.cookie();
        if (cookie.isEmpty()) {
            throw new AssertionError("expected a session, got " + login);
        }
        return cookie;
    }

    /** Removes the newest passkey. */
    public TestResponse remove(Web authorized) {
        return authorized.delete(CREDENTIALS + '/' + credentialId());
    }

    /** The id of the newest passkey on the authenticator. */
    public String credentialId() {
        List<Passkey> passkeys = browser.authenticator().passkeys();
        return passkeys.get(passkeys.size() - 1).id();
    }
}
