// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;

/** Requests options and sends wrong responses in another user's name, to keep that user from signing in. */
final class LockOut implements Attack {
    /** Together these cost an address fifteen ceremonies; more would slow down the other groups. */
    private static final int OPTIONS = 60;

    private static final int WRONG_RESPONSES = 5;
    private static final String EARLIER = "a login with options issued before the requests in the user's name";
    private static final String LATER = "a login after the requests in the user's name";

    @Override
    public void run(Scene scene, Score score) {
        Account victim = scene.victim();
        String earlier = victim.options();
        flood(scene, score);
        judge(scene, score, EARLIER, finish(scene, victim.browser().get(earlier)));
        TestResponse options = options(scene, victim.userId());
        judge(scene, score, LATER, options.ok() ? finish(scene, victim.browser().get(options.body())) : options);
    }

    /** Stops when the service refuses: the login afterwards shows whether that affects the user. */
    private static void flood(Scene scene, Score score) {
        Mutation mutation = Mutations.named(CeremonyType.AUTHENTICATION, "signature-one-bit-off");
        Account victim = scene.victim();
        for (int i = 0; i < OPTIONS; i++) {
            if (scene.target().isOver()) {
                score.outOfTime((OPTIONS - i) + " more requests for options in a user's name");
                return;
            }
            TestResponse options = options(scene, victim.userId());
            if (!options.ok()) {
                return;
            }
            if (i < WRONG_RESPONSES) {
                finish(scene, victim.browser().get(options.body(), mutation));
            }
        }
    }

    private static void judge(Scene scene, Score score, String attempt, TestResponse response) {
        if (!response.later()) {
            score.check(attempt, response.ok(), "refused with " + describe(response));
        } else if (isNameRefused(scene)) {
            score.check(attempt, false, "refused with " + describe(response) + ", other users are not");
        } else {
            score.skip(attempt, "the service limits this address for all users");
        }
    }

    /** Whether another user gets options when the victim gets none. Tried twice, since other clients may share the address. */
    private static boolean isNameRefused(Scene scene) {
        for (int i = 0; i < 2; i++) {
            if (!options(scene, scene.victim().userId()).later()
                    || !options(scene, scene.synced().userId()).ok()) {
                return false;
            }
        }
        return true;
    }

    private static TestResponse options(Scene scene, String user) {
        return scene.target().tryTwice("GET", Person.LOGIN_OPTIONS + Web.user(user), null);
    }

    private static TestResponse finish(Scene scene, String response) {
        return scene.target()
                .tryTwice("POST", Person.LOGIN_FINISH + scene.victim().query(), response);
    }

    private static String describe(TestResponse response) {
        return (response.status() + " " + response.jsonIfAny().string("code", "")).strip();
    }
}
