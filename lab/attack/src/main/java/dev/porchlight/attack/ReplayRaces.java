// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.util.List;

/** One response, sent many times concurrently: at most one may succeed. */
final class ReplayRaces extends Attack {
    @Override
    void attempt() {
        race("a login response", target.atOnce(RUNNERS, Person.LOGIN_FINISH + attacker.query(), attacker.assertion()));
        String registration = scene.freshBrowser().create(attacker.creationOptions());
        race(
                "a registration response",
                target.atOnce(
                        RUNNERS,
                        Person.REGISTER_FINISH,
                        registration,
                        attacker.access().headers()));
        attacker.removeFurther();
    }

    private void race(String what, List<TestResponse> responses) {
        if (oneWinner(what, responses).isEmpty()) {
            note("none of " + RUNNERS + " concurrent attempts with " + what + " was accepted: "
                    + responses.stream().map(TestResponse::status).distinct().toList());
        }
    }
}
