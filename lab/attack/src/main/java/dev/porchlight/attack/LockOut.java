// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;

/** Requests options and sends wrong responses in another user's name, to keep that user from signing in. */
final class LockOut extends Attack {
    /** Together these cost an address fifteen ceremonies; more would slow down the other groups. */
    private static final int OPTIONS = 60;

    private static final int WRONG_RESPONSES = 5;
    private static final String EARLIER = "a login with options issued before the requests in the user's name";
    private static final String LATER = "a login after the requests in the user's name";

    @Override
    void attempt() {
        wrongAdminTokens();
        String earlier = victim.options();
        flood();
        expectLogin(EARLIER, finish(victim.browser().get(earlier)));
        TestResponse options = options(victim.userId());
        expectLogin(LATER, options.ok() ? finish(victim.browser().get(options.body())) : options);
    }

    /** More wrong tokens than an address may send in a minute by default. */
    private void wrongAdminTokens() {
        String attempt = "the admin token after " + 2 * RUNNERS + " wrong ones from the same address";
        String admin = scene.adminToken();
        if (admin == null) {
            skip(attempt, "set ADMIN_TOKEN in the environment");
            return;
        }
        for (int i = 0; i < 2; i++) {
            target.atOnce(RUNNERS, "/admin/enrollments", "{}", bearer("a wrong admin token"));
        }
        TestResponse right =
                target.begin("GET", "/admin/users?limit=1", null, bearer(admin)).join();
        check(attempt, right.status() != 429, "is refused with " + describe(right));
    }

    /** Stops when the service refuses: the login afterwards shows whether that affects the user. */
    private void flood() {
        Mutation mutation = Mutations.named(CeremonyType.AUTHENTICATION, "signature-one-bit-off");
        for (int i = 0; i < OPTIONS; i++) {
            if (target.isOver()) {
                outOfTime((OPTIONS - i) + " more requests for options in a user's name");
                return;
            }
            TestResponse options = options(victim.userId());
            if (!options.ok()) {
                return;
            }
            if (i < WRONG_RESPONSES) {
                finish(victim.browser().get(options.body(), mutation));
            }
        }
    }

    private void expectLogin(String attempt, TestResponse response) {
        if (!response.later()) {
            check(attempt, response.ok(), "refused with " + describe(response));
        } else if (isNameRefused()) {
            check(attempt, false, "refused with " + describe(response) + ", other users are not");
        } else {
            skip(attempt, "the service limits this address for all users");
        }
    }

    /** Whether another user gets options when the victim gets none. Tried twice, since other clients may share the address. */
    private boolean isNameRefused() {
        for (int i = 0; i < 2; i++) {
            if (!options(victim.userId()).later()
                    || !options(scene.synced().userId()).ok()) {
                return false;
            }
        }
        return true;
    }

    private TestResponse options(String user) {
        return target.tryTwice("GET", Person.LOGIN_OPTIONS + Web.user(user), null);
    }

    private TestResponse finish(String response) {
        return target.tryTwice("POST", Person.LOGIN_FINISH + victim.query(), response);
    }

    private static String describe(TestResponse response) {
        return (response.status() + " " + response.jsonIfAny().string("code", "")).strip();
    }
}
