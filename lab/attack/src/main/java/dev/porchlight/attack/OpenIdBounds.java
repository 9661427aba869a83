// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Audit rows without bound, tokens that are too long to be used, and requests of a client without a limit. */
final class OpenIdBounds extends OpenIdAttack {
    private static final int SIGN_INS = 30;
    private static final int GROUPS = 110;
    private static final String REVOKE = "/oauth2/revoke";

    /** A client may send ten requests for each failure of an address; other clients at this address may use some of those. */
    private static final int REQUESTS_PER_FAILURE = 30;

    private static final int WAIT_SECONDS = 10;
    private static final int BURSTS = 5;

    @Override
    void attemptOpenId() {
        auditRows();
        manyGroups();
        budget();
    }

    /** A signed-in user repeats the last step of a sign-in. A row in five minutes is enough. */
    private void auditRows() {
        Web browser = openId.victim();
        String sealed = app.begin(app.request());
        for (int i = 0; i < SIGN_INS; i++) {
            OpenIdClient.proceed(browser, sealed);
        }
        String log = Account.must(
                        OpenIdScene.admin(scene)
                                .get("/admin/audit?limit=100&userId=" + OpenIdClient.encode(victim.userId())),
                        "the victim's audit rows")
                .body();
        int rows = log.split(app.id(), -1).length - 1;
        check(SIGN_INS + " sign-ins of one session to a client", rows <= 2, "wrote " + rows + " audit rows");
    }

    private void manyGroups() {
        OpenIdClient all = app.withScope("openid groups");
        List<String> memberships = IntStream.range(0, GROUPS)
                .mapToObj(i -> "/admin/groups/" + "attack-".repeat(8) + (1_000 + i) + '/' + victim.userId())
                .toList();
        Web admin = OpenIdScene.admin(scene);
        try {
            memberships.forEach(path -> Account.must(admin.post(path), "adding the victim to a group"));
            Web browser = openId.browser(victim.login());
            JsonObject tokens = all.tokens(browser);
            check(
                    "userinfo of a user in " + GROUPS + " groups",
                    all.userinfo(tokens.string("access_token", "")).ok(),
                    "refuses the access token");
            target.get("/oauth2/logout?id_token_hint=" + tokens.string("id_token", ""));
            check(
                    "the sign-out of a user in " + GROUPS + " groups",
                    !browser.get(Person.SESSION).ok(),
                    "leaves the session open");
        } finally {
            memberships.forEach(admin::delete);
            victim.forget();
        }
    }

    /** Strangers in a client's name are limited by address, and may not use up what the client may send. */
    private void budget() {
        String flood = "a flood of requests by one client";
        String secret = String.valueOf(app.secret());
        int bursts = 0;
        while (accepted("a wrong secret") > RUNNERS / 2) {
            if (++bursts == BURSTS) {
                skip(flood, "the service has no rate limit, or a high one");
                return;
            }
        }
        Target.sleep(TimeUnit.SECONDS.toNanos(WAIT_SECONDS));
        int refilled = Math.max(1, accepted("a wrong secret"));
        check("strangers in a client's name", accepted(secret) > 0, "use up what the client may send");
        int perMinute = refilled * 60 / WAIT_SECONDS * REQUESTS_PER_FAILURE;
        long started = System.nanoTime();
        for (int sent = RUNNERS; accepted(secret) == RUNNERS; sent += RUNNERS) {
            long minutes = 1 + TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - started);
            if (sent > perMinute * minutes) {
                check(flood, false, sent + " requests were accepted");
                return;
            }
            if (minutes > 1) {
                outOfTime(flood);
                return;
            }
        }
        check(flood, true, "");
    }

    /** Sends a burst of requests with a secret of the app, and returns how many were not limited. */
    private int accepted(String secret) {
        return (int) target
                .atOnce(
                        RUNNERS,
                        REVOKE,
                        "token=x",
                        "Content-Type",
                        "application/x-www-form-urlencoded",
                        "Authorization",
                        OpenIdClient.basic(app.id(), secret))
                .stream()
                .map(TestResponse::status)
                .filter(status -> status != 429)
                .count();
    }
}
