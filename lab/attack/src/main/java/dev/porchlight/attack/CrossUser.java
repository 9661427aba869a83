// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import java.util.List;

/** One user's access, used on another user's data. */
final class CrossUser extends Attack {
    @Override
    void attempt() {
        judge(
                "the attacker's response, finished as the victim",
                target.post(Person.LOGIN_FINISH + victim.query(), attacker.assertion()));
        judge(
                "the victim's challenge, signed with the attacker's passkey",
                victim.finish(attacker.browser().get(Person.forAnyPasskey(victim.options()))));
        judge(
                "the attacker's challenge, signed with the victim's passkey",
                attacker.finish(victim.browser().get(Person.forAnyPasskey(attacker.options()))));
        judge(
                "a registration started by the attacker, finished by the victim",
                victim.finishRegistration(scene.freshBrowser().create(attacker.creationOptions())));
        victim.removeFurther();
        passkeys();
        sessions();
    }

    private void passkeys() {
        String[] access = attacker.access().headers();
        List<String> before = victim.passkeys();
        if (before.isEmpty()) {
            throw new AttackException("the victim's passkeys cannot be listed");
        }
        for (String id : before) {
            String path = Person.CREDENTIALS + '/' + id;
            judge(
                    "the victim's passkey, renamed by the attacker",
                    target.send("PATCH", path, "{\"name\":\"mine\"}", access));
            judge("the victim's passkey, removed by the attacker", target.delete(path + "?force=true", access));
        }
        check("the victim's passkeys after that", victim.passkeys().equals(before), "have changed");
        String listed = target.get(Person.CREDENTIALS, access).body();
        check(
                "the attacker's list of passkeys",
                before.stream().noneMatch(listed::contains),
                "contains a passkey of the victim");
    }

    private void sessions() {
        GrantedAccess theirs = victim.access();
        if (theirs.cookie() == null) {
            skip("sessions", "logins return only tokens");
            return;
        }
        String[] access = attacker.access().headers();
        target.get("/auth/sessions", "Cookie", String.valueOf(theirs.cookie())).jsonIfAny().objects("sessions").stream()
                .limit(5)
                .map(session -> session.string("session", ""))
                .forEach(handle -> judge(
                        "the victim's session, ended by the attacker",
                        target.delete("/auth/sessions/" + handle, access)));
    }
}
