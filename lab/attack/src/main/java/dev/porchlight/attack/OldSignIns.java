// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.remote.Person;
import java.time.Duration;

/** Passkeys added and removed with a sign-in that is too old. Runs last, so that the first sign-in is old by then. */
final class OldSignIns extends Attack {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    @Override
    void attempt() {
        Duration wait = scene.untilOld();
        if (wait.compareTo(LONGEST_WAIT) > 0) {
            skip(
                    "adding and removing a passkey with an old sign-in",
                    "the first sign-in stays recent for another " + wait.toSeconds()
                            + " s: lower --rate, or RECENT_LOGIN_SECONDS and --recent");
            return;
        }
        if (!wait.isNegative()) {
            Target.sleep(wait.plusSeconds(1).toNanos()); // services count whole seconds
        }
        Account person = scene.synced();
        String[] old = scene.early().headers();
        judge("options for another passkey with an old sign-in", target.get(Person.REGISTER_OPTIONS, old));
        person.login();
        String options = person.creationOptions();
        judge(
                "a registration started with a recent sign-in, finished with an old one",
                target.post(Person.REGISTER_FINISH, scene.freshBrowser().create(options), old));
        SoftBrowser further = scene.freshBrowser();
        String id = person.register(further, person.login().headers());
        judge("a passkey, removed with an old sign-in", target.delete(Person.CREDENTIALS + '/' + id, old));
        person.login();
        person.removeFurther();
    }
}
