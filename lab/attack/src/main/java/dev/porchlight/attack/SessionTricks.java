// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.util.Locale;

/** Session fixation and ended sessions. */
final class SessionTricks extends Attack {
    private static final String CHOSEN = "=0123456789abcdef0123456789abcdef0123456789a";

    @Override
    void attempt() {
        GrantedAccess access = attacker.login();
        String cookie = access.cookie();
        if (cookie == null) {
            skip("sessions", "logins return only tokens");
            return;
        }
        attributes(access);
        fixation(cookie.substring(0, cookie.indexOf('=')));
        ends();
        endOfThePasskey();
    }

    private void attributes(GrantedAccess access) {
        String set = String.valueOf(access.setCookie()).toLowerCase(Locale.ROOT);
        check("scripts reading the cookie", set.contains("httponly"), "it is not HttpOnly");
        check("other sites sending the cookie", set.matches(".*samesite=(strict|lax).*"), "no SameSite");
        check("other hosts sharing the cookie", !set.contains("domain="), "it has a Domain");
        if (scene.origin().startsWith("https:")) {
            check("the cookie over plain HTTP", set.contains("secure"), "it is not Secure");
            check("sub-domains setting the cookie", set.startsWith("__host-"), "its name does not start with __Host-");
        }
    }

    private void fixation(String name) {
        TestResponse chosen =
                target.post(Person.LOGIN_FINISH + attacker.query(), attacker.assertion(), "Cookie", name + CHOSEN);
        check("a session id chosen before the login", !(name + CHOSEN).equals(chosen.cookie()), "is kept");
        judge("that session afterwards", session(name + CHOSEN));

        String planted = String.valueOf(victim.login().cookie());
        TestResponse over =
                target.post(Person.LOGIN_FINISH + attacker.query(), attacker.assertion(), "Cookie", planted);
        check("another user's session, present at the login", !planted.equals(over.cookie()), "is kept");
        String owner = session(planted).jsonIfAny().string("userId", "");
        check("that session afterwards", !owner.equals(attacker.userId()), "belongs to the user who signed in last");
    }

    private void ends() {
        String first = String.valueOf(attacker.login().cookie());
        target.post("/auth/logout", null, "Cookie", first);
        judge("a session after signing out", session(first));

        String one = String.valueOf(attacker.login().cookie());
        String other = String.valueOf(attacker.login().cookie());
        target.post("/auth/logout?everywhere=true", null, "Cookie", other);
        judge("a session after signing out everywhere", session(other));
        judge("another session after signing out everywhere", session(one));
        attacker.login();
    }

    /** A session ends with its passkey: removing a stolen passkey must sign the thief out. */
    private void endOfThePasskey() {
        SoftBrowser stolen = scene.freshBrowser();
        String id = attacker.register(stolen, attacker.access().headers());
        TestResponse login = attacker.finish(stolen.get(attacker.options()));
        attacker.remove(id);
        judge("a session whose passkey was removed", session(String.valueOf(login.cookie())));
        judge("a login with a removed passkey", attacker.finish(stolen.get(Person.forAnyPasskey(attacker.options()))));
        attacker.removeFurther();
    }

    private TestResponse session(String cookie) {
        return target.get(Person.SESSION, "Cookie", cookie);
    }
}
