// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.SoftBrowser;

/** Tokens and sessions after their passkey was removed, their user signed out everywhere, or was locked. */
final class EndedAccess implements Attack {
    @Override
    public void run(Scene scene, Score score) {
        afterRemoval(scene, score);
        afterSignOut(scene, score);
        String admin = scene.adminToken();
        if (admin == null) {
            score.skip("a locked user's tokens, sessions and sign-ins", "put the ADMIN_TOKEN into the environment");
        } else {
            afterLock(scene, score, admin);
        }
    }

    /** A thief's passkey is removed: what it gave must not add another one, nor remove the owner's. */
    private static void afterRemoval(Scene scene, Score score) {
        Person person = scene.attacker();
        SoftBrowser stolen = scene.freshBrowser();
        String id = person.register(stolen, person.login().headers());
        Access thief = Access.of(person.finish(stolen.get(person.options())));
        person.remove(id);
        useless(scene, score, thief, "whose passkey was removed");
        for (String own : person.passkeys()) {
            score.judge(
                    "the owner's passkey, removed with access whose own passkey was removed",
                    scene.target().delete(Person.CREDENTIALS + '/' + own, thief.headers()));
        }
    }

    private static void afterSignOut(Scene scene, Score score) {
        Person person = scene.attacker();
        Access other = person.login();
        Access own = person.login();
        scene.target().post("/auth/logout?everywhere=true", null, own.headers());
        useless(scene, score, own, "after signing out everywhere");
        useless(scene, score, other, "of another sign-in, after signing out everywhere");
        score.check(
                "a sign-in after signing out everywhere",
                person.finish(person.assertion()).success(),
                "is refused");
        person.login();
    }

    private static void afterLock(Scene scene, Score score, String admin) {
        Person person = scene.attacker();
        Access before = person.login();
        String user = "/admin/users/" + person.userId();
        Response locked = act(scene, user + "/lock", admin);
        score.check("a user who is to be locked", locked.success(), "cannot be locked: " + locked.status());
        if (!locked.success()) {
            return;
        }
        try {
            useless(scene, score, before, "of a locked user");
            score.judge("a sign-in of a locked user", person.finish(person.assertion()));
        } finally {
            act(scene, user + "/unlock", admin);
        }
        useless(scene, score, before, "from before a lock, after it was lifted");
        person.login();
    }

    private static Response act(Scene scene, String path, String admin) {
        return scene.target().post(path, null, Access.bearer(admin));
    }

    private static void useless(Scene scene, Score score, Access access, String when) {
        access.all().forEach((kind, headers) -> {
            String what = "a " + kind + " " + when;
            score.judge(what, scene.target().get(Access.SESSION, headers));
            score.judge(what + ", for another passkey", scene.target().get(Person.REGISTER_OPTIONS, headers));
        });
    }
}
