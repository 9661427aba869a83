// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.DomException;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonException;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A throw-away user of the service, and the access of the latest login. Not thread-safe. */
final class Account {
    /** Shorter than the time for which services accept a login as recent. */
    private static final long FRESH_NANOS = TimeUnit.MINUTES.toNanos(3);

    private final Target target;
    private final Person person;
    private @Nullable String passkey;
    private @Nullable GrantedAccess access;
    private long since;

    Account(Target target, String userId, SoftBrowser browser) {
        this.target = target;
        this.person = new Person(new Web(target), userId, browser);
    }

    String userId() {
        return person.userId();
    }

    SoftBrowser browser() {
        return person.browser();
    }

    /** The query string that names the user. */
    String query() {
        return Web.user(userId());
    }

    /** Signs up, or enrolls with an administrator's link, and registers the first passkey. */
    void enroll(@Nullable String adminToken) {
        String body = new JsonObject().put("userId", userId()).toString();
        TestResponse response = adminToken == null
                ? person.signUp()
                : target.post("/admin/enrollments", body, GrantedAccess.bearer(adminToken));
        if (response.status() == 0) {
            throw new AttackException(
                    "no response from " + target + ": start the service, or check the host and port of the URL");
        }
        String token = response.field("token");
        if (token.isEmpty()) {
            throw new AttackException("cannot sign up a user: the service responded with " + response.status() + ' '
                    + response.field("code")
                    + ". Set SIGNUP=open for the attack, or set the service's ADMIN_TOKEN in the environment");
        }
        passkey = register(browser(), GrantedAccess.bearer(token));
    }

    /** Registers a passkey in this browser and returns its id. */
    String register(SoftBrowser where, String... authority) {
        String options = must(target.get(Person.REGISTER_OPTIONS, authority), "options for a registration")
                .body();
        try {
            String response = where.create(options);
            must(target.post(Person.REGISTER_FINISH, response, authority), "a valid registration");
            return JsonObject.parse(response).string("id");
        } catch (DomException | JsonException e) {
            throw new AttackException("the browser refused the options (check --origin): " + e.getMessage());
        }
    }

    /** New login options for this user. */
    String options() {
        return must(person.options(), "options for a login").body();
    }

    String assertion() {
        return browser().get(options());
    }

    TestResponse finish(String assertion) {
        return person.finishLogin(assertion);
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

    /** Signs in again when access is needed next: the latest may have ended. */
    void forget() {
        access = null;
    }

    /** New options for another passkey. */
    String creationOptions() {
        return must(target.get(Person.REGISTER_OPTIONS, access().headers()), "options for a registration")
                .body();
    }

    TestResponse finishRegistration(String response) {
        return target.post(Person.REGISTER_FINISH, response, access().headers());
    }

    /** The ids of the user's passkeys, as listed by the service. */
    List<String> passkeys() {
        return target.get(Person.CREDENTIALS, access().headers()).jsonIfAny().objects("passkeys").stream()
                .map(it -> it.string("credentialId"))
                .toList();
    }

    /** Removes all passkeys except the first. */
    void removeFurther() {
        passkeys().stream().filter(id -> !id.equals(passkey)).forEach(this::remove);
    }

    TestResponse remove(String id) {
        return target.delete(Person.CREDENTIALS + '/' + id + "?force=true", access().headers());
    }

    /** Removes all passkeys. Returns false if that failed. */
    boolean leave() {
        if (passkey == null) {
            return true;
        }
        try {
            login();
            removeFurther();
            return remove(String.valueOf(passkey)).ok();
        } catch (AttackException | DomException | JsonException e) {
            return false;
        }
    }

    /** The response to a valid request, without which nothing can be tried. */
    static TestResponse must(TestResponse response, String what) {
        if (!response.ok()) {
            throw new AttackException(what + " failed with status " + response.status() + ' ' + response.body());
        }
        return response;
    }
}
