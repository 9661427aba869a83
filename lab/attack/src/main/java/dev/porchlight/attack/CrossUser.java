// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import java.util.List;

/** One user's access, used on another user's data. */
final class CrossUser implements Attack {
    @Override
    public void run(Scene scene, Score score) {
        Target target = scene.target();
        Account attacker = scene.attacker();
        Account victim = scene.victim();

        score.judge(
                "the attacker's response, finished as the victim",
                target.post(Person.LOGIN_FINISH + victim.query(), attacker.assertion()));
        score.judge(
                "the victim's challenge, signed with the attacker's passkey",
                victim.finish(attacker.browser().get(Person.forAnyPasskey(victim.options()))));
        score.judge(
                "the attacker's challenge, signed with the victim's passkey",
                attacker.finish(victim.browser().get(Person.forAnyPasskey(attacker.options()))));
        score.judge(
                "a registration started by the attacker, finished by the victim",
                victim.finishRegistration(scene.freshBrowser().create(attacker.creationOptions())));
        victim.removeFurther();
        passkeys(scene, score);
        sessions(scene, score);
    }

    private static void passkeys(Scene scene, Score score) {
        String[] attacker = scene.attacker().access().headers();
        List<String> before = scene.victim().passkeys();
        for (String id : before) {
            String path = Person.CREDENTIALS + '/' + id;
            score.judge(
                    "the victim's passkey, renamed by the attacker",
                    scene.target().send("PATCH", path, "{\"name\":\"mine\"}", attacker));
            score.judge(
                    "the victim's passkey, removed by the attacker",
                    scene.target().delete(path + "?force=true", attacker));
        }
        score.check(
                "the victim's passkeys after that",
                !before.isEmpty() && scene.victim().passkeys().equals(before),
                "have changed");
        String listed = scene.target().get(Person.CREDENTIALS, attacker).body();
        score.check(
                "the attacker's list of passkeys",
                before.stream().noneMatch(listed::contains),
                "contains a passkey of the victim");
    }

    private static void sessions(Scene scene, Score score) {
        GrantedAccess victim = scene.victim().access();
        if (victim.cookie() == null) {
            score.skip("sessions", "logins return only tokens");
            return;
        }
        String[] attacker = scene.attacker().access().headers();
        scene
                .target()
                .get("/auth/sessions", "Cookie", String.valueOf(victim.cookie()))
                .jsonIfAny()
                .objects("sessions")
                .stream()
                .limit(5)
                .map(session -> session.string("session", ""))
                .forEach(handle -> score.judge(
                        "the victim's session, ended by the attacker",
                        scene.target().delete("/auth/sessions/" + handle, attacker)));
    }
}
