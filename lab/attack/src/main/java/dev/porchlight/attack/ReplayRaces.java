// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.util.List;

/** One response, sent many times concurrently: at most one may succeed. */
final class ReplayRaces implements Attack {
    private static final int RUNNERS = 64;

    @Override
    public void run(Scene scene, Score score) {
        Account person = scene.attacker();
        judge(
                "a login response",
                scene.target().atOnce(RUNNERS, Person.LOGIN_FINISH + person.query(), person.assertion()),
                score);
        String registration = scene.freshBrowser().create(person.creationOptions());
        judge(
                "a registration response",
                scene.target()
                        .atOnce(
                                RUNNERS,
                                Person.REGISTER_FINISH,
                                registration,
                                person.access().headers()),
                score);
        person.removeFurther();
    }

    private static void judge(String what, List<TestResponse> responses, Score score) {
        long winners = responses.stream().filter(TestResponse::ok).count();
        for (int i = 1; i < RUNNERS; i++) {
            score.check(what + ", " + RUNNERS + " times at once", i >= winners, "accepted " + (i + 1) + " times");
        }
        if (winners == 0) {
            score.note("none of " + RUNNERS + " concurrent attempts with " + what + " was accepted: "
                    + responses.stream().map(TestResponse::status).distinct().toList());
        }
    }
}
