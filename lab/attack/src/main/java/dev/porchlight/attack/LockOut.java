// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;

/** A stranger who requests options and sends wrong responses in a user's name, so that the user cannot sign in. */
final class LockOut implements Attack {
    /** These cost an address fifteen ceremonies, and more would slow down the other groups. */
    private static final int OPTIONS = 60;

    private static final int WRONG_RESPONSES = 5;
    private static final String EARLIER = "a login with options from before a stranger used the user's name";
    private static final String LATER = "a login after a stranger used the user's name";

    @Override
    public void run(Scene scene, Score score) {
        Person victim = scene.victim();
        String earlier = victim.options();
        flood(scene, score);
        judge(scene, score, EARLIER, finish(scene, victim.browser().get(earlier)));
        Response options = options(scene, victim.userId());
        judge(
                scene,
                score,
                LATER,
                options.success() ? finish(scene, victim.browser().get(options.body())) : options);
    }

    /** Ends early when the service refuses: what that means for the user is tried afterwards. */
    private static void flood(Scene scene, Score score) {
        Mutation mutation = Mutations.named(CeremonyType.AUTHENTICATION, "signature-one-bit-off");
        Person victim = scene.victim();
        for (int i = 0; i < OPTIONS; i++) {
            if (scene.target().isOver()) {
                score.outOfTime((OPTIONS - i) + " more requests for options in a user's name");
                return;
            }
            Response options = options(scene, victim.userId());
            if (!options.success()) {
                return;
            }
            if (i < WRONG_RESPONSES) {
                finish(scene, victim.browser().get(options.body(), mutation));
            }
        }
    }

    private static void judge(Scene scene, Score score, String attempt, Response reply) {
        if (!reply.later()) {
            score.check(attempt, reply.success(), "refused with " + describe(reply));
        } else if (isNameRefused(scene)) {
            score.check(attempt, false, "refused with " + describe(reply) + ", and other users are not");
        } else {
            score.skip(attempt, "the service refused this address, whatever the user");
        }
    }

    /** Whether another user gets options from here when the victim gets none; twice, since other clients may share the address. */
    private static boolean isNameRefused(Scene scene) {
        for (int i = 0; i < 2; i++) {
            if (!options(scene, scene.victim().userId()).later()
                    || !options(scene, scene.synced().userId()).success()) {
                return false;
            }
        }
        return true;
    }

    private static Response options(Scene scene, String user) {
        return scene.target().tryTwice("GET", Person.LOGIN_OPTIONS + Person.query(user), null);
    }

    private static Response finish(Scene scene, String response) {
        return scene.target()
                .tryTwice("POST", Person.LOGIN_FINISH + scene.victim().query(), response);
    }

    private static String describe(Response reply) {
        return (reply.status() + " " + reply.json().string("code", "")).strip();
    }
}
