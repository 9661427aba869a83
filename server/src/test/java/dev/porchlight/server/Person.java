// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.List;

/** A user with a browser and an authenticator. */
final class Person {
    static final String REGISTER_OPTIONS = "/auth/passkey/register/options";
    static final String REGISTER_FINISH = "/auth/passkey/register/finish";
    static final String LOGIN_OPTIONS = "/auth/passkey/login/options";
    static final String LOGIN_FINISH = "/auth/passkey/login/finish";
    static final String CREDENTIALS = "/auth/passkey/credentials";

    private final Web web;
    private final String userId;
    private final SoftBrowser browser;

    Person(Web web, String origin, String userId, SoftAuthenticator authenticator) {
        this.web = web;
        this.userId = userId;
        this.browser = new SoftBrowser(origin, authenticator).picks(userId);
    }

    String userId() {
        return userId;
    }

    SoftBrowser browser() {
        return browser;
    }

    /** Requests an enrollment token by open sign-up. */
    String enrollmentToken() {
        return web.post("/auth/signup", new JsonObject().put("userId", userId).toString())
                .expect(201)
                .json()
                .string("token");
    }

    /** Registers a passkey with this bearer token. */
    TestResponse register(String bearer) {
        return register(web.bearer(bearer));
    }

    TestResponse register(Web authorised) {
        String options = authorised.get(REGISTER_OPTIONS).expect(200).body();
        return authorised.post(REGISTER_FINISH, browser.create(options));
    }

    /** Signs up and registers a first passkey. */
    Person enroll() {
        register(enrollmentToken()).expect(201);
        return this;
    }

    String loginOptions() {
        return web.get(LOGIN_OPTIONS + Web.user(userId)).expect(200).body();
    }

    /** The browser's response to new options. */
    String assertion() {
        return browser.get(loginOptions());
    }

    TestResponse finishLogin(String assertion) {
        return web.post(LOGIN_FINISH + Web.user(userId), assertion);
    }

    TestResponse login() {
        return finishLogin(assertion());
    }

    /** A login with a passkey that the options do not name. */
    TestResponse loginRegardless() {
        JsonObject options = JsonObject.parse(loginOptions()).put("allowCredentials", List.of());
        return finishLogin(browser.get(options.toString()));
    }

    /** Signs in and returns a client with the token. */
    Web byToken() {
        return web.bearer(login().expect(200).json().string("token"));
    }

    /** Signs in and returns a client with the session cookie. */
    Web bySession() {
        return web.with("Cookie", cookie(login().expect(200)));
    }

    static String cookie(TestResponse login) {
        String header = login.header("Set-Cookie");
        return header.substring(0, header.indexOf(';'));
    }

    /** The id of the newest passkey on the authenticator. */
    String credentialId() {
        var passkeys = browser.authenticator().passkeys();
        return passkeys.get(passkeys.size() - 1).id();
    }
}
