// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Logins concurrent with the removal of their passkey: no access may outlive the passkey. */
final class RemovalRaces extends Attack {
    private static final int ROUNDS = 8;
    /** A round costs five ceremonies: more would make a service with a limit delay the other groups. */
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(7);

    @Override
    void attempt() {
        attacker.login();
        long writeNanos = target.tookNanos();
        long started = System.nanoTime();
        int accepted = 0;
        for (int round = 0; round < ROUNDS; round++) {
            if (target.isOver() || System.nanoTime() - started > MOST_NANOS) {
                outOfTime((ROUNDS - round) + " more rounds of logins during removal");
                break;
            }
            SoftBrowser browser = scene.freshBrowser();
            String id = attacker.register(browser, attacker.access().headers());
            writeNanos = Math.min(writeNanos, target.tookNanos());
            // the removal starts at a different point of the login in each round; the first rounds already cover
            // the whole login
            int part = round * 3 % ROUNDS;
            accepted += race(browser, id, writeNanos * part / ROUNDS) ? 1 : 0;
        }
        if (accepted == 0) {
            skip("access from a login during the removal of its passkey", "no such login was accepted");
        }
        attacker.removeFurther();
    }

    /** Returns whether the login was accepted. */
    private boolean race(SoftBrowser browser, String id, long delayNanos) {
        String[] authority = attacker.access().headers();
        String response = browser.get(attacker.options());

        CompletableFuture<TestResponse> login = target.begin("POST", Person.LOGIN_FINISH + attacker.query(), response);
        Target.sleep(delayNanos);
        CompletableFuture<TestResponse> removal =
                target.begin("DELETE", Person.CREDENTIALS + '/' + id + "?force=true", null, authority);
        TestResponse loggedIn = login.join();
        if (!removal.join().ok()) {
            attacker.remove(id);
        }
        check(
                "a passkey, removed during a login",
                !attacker.passkeys().contains(id),
                "is still registered: the removal responded with "
                        + removal.join().status());
        if (loggedIn.ok()) {
            GrantedAccess.of(loggedIn)
                    .all()
                    .forEach((kind, headers) -> judge(
                            "a " + kind + " from a login during the removal of its passkey",
                            target.get(Person.SESSION, headers)));
        } else if (!loggedIn.later()) {
            judge("a login during the removal of its passkey", loggedIn);
        }
        judge(
                "a login after its passkey was removed during another login",
                attacker.finish(browser.get(Person.forAnyPasskey(attacker.options()))));
        return loggedIn.ok();
    }
}
