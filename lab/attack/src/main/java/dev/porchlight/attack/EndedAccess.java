// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;

/** Tokens and sessions after their passkey was removed, or their user was signed out everywhere or locked. */
final class EndedAccess implements Attack {
    @Override
    public void run(Scene scene, Score score) {
        afterRemoval(scene, score);
        afterSignOut(scene, score);
        String admin = scene.adminToken();
        if (admin == null) {
            score.skip("a locked user's tokens, sessions and sign-ins", "set ADMIN_TOKEN in the environment");
        } else {
            afterLock(scene, score, admin);
        }
    }

    /** Removes a thief's passkey: its token and session must not add a passkey or remove the owner's. */
    private static void afterRemoval(Scene scene, Score score) {
        Account person = scene.attacker();
        SoftBrowser stolen = scene.freshBrowser();
        String id = person.register(stolen, person.login().headers());
        GrantedAccess thief = GrantedAccess.of(person.finish(stolen.get(person.options())));
        person.remove(id);
        useless(scene, score, thief, "whose passkey was removed");
        for (String own : person.passkeys()) {
            score.judge(
                    "the owner's passkey, removed with the access of a removed passkey",
                    scene.target().delete(Person.CREDENTIALS + '/' + own, thief.headers()));
        }
    }

    private static void afterSignOut(Scene scene, Score score) {
        Account person = scene.attacker();
        GrantedAccess other = person.login();
        GrantedAccess own = person.login();
        scene.target().post("/auth/logout?everywhere=true", null, own.headers());
        useless(scene, score, own, "after signing out everywhere");
        useless(scene, score, other, "of another sign-in, after signing out everywhere");
        score.check(
                "a sign-in after signing out everywhere",
                person.finish(person.assertion()).ok(),
                "is refused");
        person.login();
    }

    private static void afterLock(Scene scene, Score score, String admin) {
        Account person = scene.attacker();
        GrantedAccess before = person.login();
        String user = "/admin/users/" + person.userId();
        TestResponse locked = act(scene, user + "/lock", admin);
        score.check("locking a user", locked.ok(), "failed with status " + locked.status());
        if (!locked.ok()) {
            return;
        }
        try {
            useless(scene, score, before, "of a locked user");
            score.judge("a sign-in of a locked user", person.finish(person.assertion()));
        } finally {
            act(scene, user + "/unlock", admin);
        }
        useless(scene, score, before, "issued before a lock, after the unlock");
        person.login();
    }

    private static TestResponse act(Scene scene, String path, String admin) {
        return scene.target().post(path, null, GrantedAccess.bearer(admin));
    }

    private static void useless(Scene scene, Score score, GrantedAccess access, String when) {
        access.all().forEach((kind, headers) -> {
            String what = "a " + kind + " " + when;
            score.judge(what, scene.target().get(Person.SESSION, headers));
            score.judge(what + ", to add a passkey", scene.target().get(Person.REGISTER_OPTIONS, headers));
        });
    }
}
