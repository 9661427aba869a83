// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Logins concurrent with the removal of their passkey: no access may outlive the passkey. */
final class RemovalRaces implements Attack {
    private static final int ROUNDS = 8;
    /** A round costs five ceremonies: more would make a service with a limit delay the other groups. */
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(7);

    @Override
    public void run(Scene scene, Score score) {
        Account owner = scene.attacker();
        owner.login();
        long writeNanos = scene.target().tookNanos();
        long started = System.nanoTime();
        int accepted = 0;
        for (int round = 0; round < ROUNDS; round++) {
            if (scene.target().isOver() || System.nanoTime() - started > MOST_NANOS) {
                score.outOfTime((ROUNDS - round) + " more rounds of logins during removal");
                break;
            }
            SoftBrowser browser = scene.freshBrowser();
            String id = owner.register(browser, owner.access().headers());
            writeNanos = Math.min(writeNanos, scene.target().tookNanos());
            // the removal starts at a different point of the login in each round; the first rounds already cover
            // the whole login
            int part = round * 3 % ROUNDS;
            accepted += race(scene, score, browser, id, writeNanos * part / ROUNDS) ? 1 : 0;
        }
        if (accepted == 0) {
            score.skip("access from a login during the removal of its passkey", "no such login was accepted");
        }
        owner.removeFurther();
    }

    /** Returns whether the login was accepted. */
    private static boolean race(Scene scene, Score score, SoftBrowser browser, String id, long delayNanos) {
        Target target = scene.target();
        Account owner = scene.attacker();
        String[] authority = owner.access().headers();
        String response = browser.get(owner.options());

        CompletableFuture<TestResponse> login = target.begin("POST", Person.LOGIN_FINISH + owner.query(), response);
        Target.sleep(delayNanos);
        CompletableFuture<TestResponse> removal =
                target.begin("DELETE", Person.CREDENTIALS + '/' + id + "?force=true", null, authority);
        TestResponse loggedIn = login.join();
        if (!removal.join().ok()) {
            owner.remove(id);
        }
        score.check(
                "a passkey, removed during a login",
                !owner.passkeys().contains(id),
                "is still registered: the removal responded with "
                        + removal.join().status());
        if (loggedIn.ok()) {
            GrantedAccess.of(loggedIn)
                    .all()
                    .forEach((kind, headers) -> score.judge(
                            "a " + kind + " from a login during the removal of its passkey",
                            target.get(Person.SESSION, headers)));
        } else if (!loggedIn.later()) {
            score.judge("a login during the removal of its passkey", loggedIn);
        }
        score.judge(
                "a login after its passkey was removed during another login",
                owner.finish(browser.get(Person.forAnyPasskey(owner.options()))));
        return loggedIn.ok();
    }
}
