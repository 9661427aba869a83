// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.util.Locale;

/** Session fixation and ended sessions. */
final class SessionTricks implements Attack {
    private static final String CHOSEN = "=0123456789abcdef0123456789abcdef0123456789a";

    @Override
    public void run(Scene scene, Score score) {
        GrantedAccess access = scene.attacker().login();
        String cookie = access.cookie();
        if (cookie == null) {
            score.skip("sessions", "logins return only tokens");
            return;
        }
        attributes(access, scene, score);
        fixation(cookie.substring(0, cookie.indexOf('=')), scene, score);
        ends(scene, score);
        endOfThePasskey(scene, score);
    }

    private static void attributes(GrantedAccess access, Scene scene, Score score) {
        String set = String.valueOf(access.setCookie()).toLowerCase(Locale.ROOT);
        score.check("scripts reading the cookie", set.contains("httponly"), "it is not HttpOnly");
        score.check("other sites sending the cookie", set.matches(".*samesite=(strict|lax).*"), "no SameSite");
        score.check("other hosts sharing the cookie", !set.contains("domain="), "it has a Domain");
        if (scene.origin().startsWith("https:")) {
            score.check("the cookie over plain HTTP", set.contains("secure"), "it is not Secure");
            score.check(
                    "sub-domains setting the cookie",
                    set.startsWith("__host-"),
                    "its name does not start with __Host-");
        }
    }

    private static void fixation(String name, Scene scene, Score score) {
        Account person = scene.attacker();
        TestResponse chosen =
                scene.target().post(Person.LOGIN_FINISH + person.query(), person.assertion(), "Cookie", name + CHOSEN);
        score.check("a session id chosen before the login", !(name + CHOSEN).equals(chosen.cookie()), "is kept");
        score.judge("that session afterwards", session(scene, name + CHOSEN));

        String planted = String.valueOf(scene.victim().login().cookie());
        TestResponse over =
                scene.target().post(Person.LOGIN_FINISH + person.query(), person.assertion(), "Cookie", planted);
        score.check("another user's session, present at the login", !planted.equals(over.cookie()), "is kept");
        String owner = session(scene, planted).jsonIfAny().string("userId", "");
        score.check(
                "that session afterwards", !owner.equals(person.userId()), "belongs to the user who signed in last");
    }

    private static void ends(Scene scene, Score score) {
        Account person = scene.attacker();
        String first = String.valueOf(person.login().cookie());
        scene.target().post("/auth/logout", null, "Cookie", first);
        score.judge("a session after signing out", session(scene, first));

        String one = String.valueOf(person.login().cookie());
        String other = String.valueOf(person.login().cookie());
        scene.target().post("/auth/logout?everywhere=true", null, "Cookie", other);
        score.judge("a session after signing out everywhere", session(scene, other));
        score.judge("another session after signing out everywhere", session(scene, one));
        person.login();
    }

    /** A session ends with its passkey: removing a stolen passkey must sign the thief out. */
    private static void endOfThePasskey(Scene scene, Score score) {
        Account person = scene.attacker();
        SoftBrowser stolen = scene.freshBrowser();
        String id = person.register(stolen, person.access().headers());
        TestResponse login = person.finish(stolen.get(person.options()));
        person.remove(id);
        score.judge("a session whose passkey was removed", session(scene, String.valueOf(login.cookie())));
        score.judge(
                "a login with a removed passkey", person.finish(stolen.get(Person.forAnyPasskey(person.options()))));
        person.removeFurther();
    }

    private static TestResponse session(Scene scene, String cookie) {
        return scene.target().get(Person.SESSION, "Cookie", cookie);
    }
}
