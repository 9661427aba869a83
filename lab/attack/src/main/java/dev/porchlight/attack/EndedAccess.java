// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;

/** Tokens and sessions after their passkey was removed, or their user was signed out everywhere or locked. */
final class EndedAccess extends Attack {
    @Override
    void attempt() {
        afterRemoval();
        afterSignOut();
        String admin = scene.adminToken();
        if (admin == null) {
            skip("a locked user's tokens, sessions and sign-ins", "set ADMIN_TOKEN in the environment");
        } else {
            afterLock(admin);
        }
    }

    /** Removes a thief's passkey: its token and session must not add a passkey or remove the owner's. */
    private void afterRemoval() {
        SoftBrowser stolen = scene.freshBrowser();
        String id = attacker.register(stolen, attacker.login().headers());
        GrantedAccess thief = GrantedAccess.of(attacker.finish(stolen.get(attacker.options())));
        attacker.remove(id);
        useless(thief, "whose passkey was removed");
        for (String own : attacker.passkeys()) {
            judge(
                    "the owner's passkey, removed with the access of a removed passkey",
                    target.delete(Person.CREDENTIALS + '/' + own, thief.headers()));
        }
    }

    private void afterSignOut() {
        GrantedAccess other = attacker.login();
        GrantedAccess own = attacker.login();
        target.post("/auth/logout?everywhere=true", null, own.headers());
        useless(own, "after signing out everywhere");
        useless(other, "of another sign-in, after signing out everywhere");
        check(
                "a sign-in after signing out everywhere",
                attacker.finish(attacker.assertion()).ok(),
                "is refused");
        attacker.login();
    }

    private void afterLock(String admin) {
        GrantedAccess before = attacker.login();
        String user = "/admin/users/" + attacker.userId();
        TestResponse locked = act(user + "/lock", admin);
        if (!locked.ok()) {
            throw new AttackException("locking a user failed with status " + locked.status());
        }
        try {
            useless(before, "of a locked user");
            judge("a sign-in of a locked user", attacker.finish(attacker.assertion()));
        } finally {
            act(user + "/unlock", admin);
        }
        useless(before, "issued before a lock, after the unlock");
        attacker.login();
    }

    private TestResponse act(String path, String admin) {
        return target.post(path, null, bearer(admin));
    }

    private void useless(GrantedAccess access, String when) {
        access.all().forEach((kind, headers) -> {
            String what = "a " + kind + " " + when;
            judge(what, target.get(Person.SESSION, headers));
            judge(what + ", to add a passkey", target.get(Person.REGISTER_OPTIONS, headers));
        });
    }
}
