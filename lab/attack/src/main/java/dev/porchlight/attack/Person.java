// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.DomException;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.wire.JsonException;
import dev.porchlight.testkit.wire.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A throw-away user of the service, with a browser. Not thread-safe. */
final class Person {
    static final String REGISTER_OPTIONS = "/auth/passkey/register/options";
    static final String REGISTER_FINISH = "/auth/passkey/register/finish";
    static final String LOGIN_OPTIONS = "/auth/passkey/login/options";
    static final String LOGIN_FINISH = "/auth/passkey/login/finish";
    static final String CREDENTIALS = "/auth/passkey/credentials";
    /** Shorter than the time for which services accept a login as recent. */
    private static final long FRESH_NANOS = TimeUnit.MINUTES.toNanos(3);

    private final Target target;
    private final String userId;
    private final SoftBrowser browser;
    private @Nullable String passkey;
    private @Nullable GrantedAccess access;
    private long since;

    Person(Target target, String userId, SoftBrowser browser) {
        this.target = target;
        this.userId = userId;
        this.browser = browser.picks(userId);
    }

    String userId() {
        return userId;
    }

    SoftBrowser browser() {
        return browser;
    }

    /** The query string that names the user. */
    String query() {
        return query(userId);
    }

    static String query(String user) {
        return "?userId=" + URLEncoder.encode(user, StandardCharsets.UTF_8);
    }

    /** Signs up, or enrolls with an administrator's link, and registers the first passkey. */
    void enroll(@Nullable String adminToken) {
        String body = new JsonObject().put("userId", userId).toString();
        Response response = adminToken == null
                ? target.post("/auth/signup", body)
                : target.post("/admin/enrollments", body, GrantedAccess.bearer(adminToken));
        if (response.status() == 0) {
            throw new AttackException(
                    "no response from " + target + ": start the service, or check the host and port of the URL");
        }
        String token = response.json().string("token", "");
        if (token.isEmpty()) {
            throw new AttackException("cannot sign up a user: the service responded with " + response.status() + ' '
                    + response.json().string("code", "")
                    + ". Set SIGNUP=open for the attack, or set the service's ADMIN_TOKEN in the environment");
        }
        passkey = register(browser, GrantedAccess.bearer(token));
    }

    /** Registers a passkey in this browser and returns its id. */
    String register(SoftBrowser where, String... authority) {
        String options = must(target.get(REGISTER_OPTIONS, authority), "options for a registration")
                .body();
        try {
            String response = where.create(options);
            must(target.post(REGISTER_FINISH, response, authority), "a valid registration");
            return JsonObject.parse(response).string("id");
        } catch (DomException | JsonException e) {
            throw new AttackException("the browser refused the options (check --origin): " + e.getMessage());
        }
    }

    /** The same options, for any passkey. */
    static String forAnyPasskey(String options) {
        return JsonObject.parse(options).put("allowCredentials", List.of()).toString();
    }

    /** New login options for this user. */
    String options() {
        return must(target.get(LOGIN_OPTIONS + query()), "options for a login").body();
    }

    String assertion() {
        return browser.get(options());
    }

    Response finish(String assertion) {
        return target.post(LOGIN_FINISH + query(), assertion);
    }

    /** Signs in with a valid response. */
    GrantedAccess login() {
        GrantedAccess fresh = GrantedAccess.of(must(finish(assertion()), "a valid login"));
        access = fresh;
        since = System.nanoTime();
        return fresh;
    }

    /** The access of a recent login. */
    GrantedAccess access() {
        GrantedAccess known = access;
        return known == null || System.nanoTime() - since > FRESH_NANOS ? login() : known;
    }

    /** New options for another passkey. */
    String creationOptions() {
        return must(target.get(REGISTER_OPTIONS, access().headers()), "options for a registration")
                .body();
    }

    Response finishRegistration(String response) {
        return target.post(REGISTER_FINISH, response, access().headers());
    }

    /** The ids of the user's passkeys, as listed by the service. */
    List<String> passkeys() {
        List<String> ids = new ArrayList<>();
        target.get(CREDENTIALS, access().headers())
                .json()
                .objects("credentials")
                .forEach(it -> ids.add(it.string("credentialId")));
        return ids;
    }

    /** Removes all passkeys except the first. */
    void removeFurther() {
        passkeys().stream().filter(id -> !id.equals(passkey)).forEach(this::remove);
    }

    Response remove(String id) {
        return target.delete(CREDENTIALS + '/' + id + "?force=true", access().headers());
    }

    /** Removes all passkeys. Returns false if that failed. */
    boolean leave() {
        if (passkey == null) {
            return true;
        }
        try {
            login();
            removeFurther();
            return remove(String.valueOf(passkey)).success();
        } catch (AttackException | DomException | JsonException e) {
            return false;
        }
    }

    private static Response must(Response response, String what) {
        if (!response.success()) {
            throw new AttackException(what + " failed with status " + response.status() + ' ' + response.body());
        }
        return response;
    }
}
