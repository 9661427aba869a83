// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.openid;

import dev.porchlight.drill.scenario.EmbeddedDatabase;
import dev.porchlight.drill.scenario.Fleet;
import dev.porchlight.drill.scenario.Fleet.Store;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** R45: a stranger sends codes and refresh tokens that leaked from other clients, in a loop. */
public final class StrangersWithCodes {
    private static final String ROWS =
            "SELECT COUNT(*) FROM porchlight_audit WHERE action LIKE 'client_token%' AND outcome <> 'ok'";

    /** Up to 20 refusals a minute have a row each for every reason, and the others are combined. */
    private static final int MAX_ROWS = 200;

    private final Map<Integer, Integer> statuses = new TreeMap<>();

    public void run(TestBed bed) throws Exception {
        try (Fleet fleet = bed.services().fleet(Store.SQLITE);
                Connection connection = fleet.first().connect()) {
            Instance service = fleet.first();
            Person victim = Users.register(connection, service.address(), "victim");
            Person stranger = Users.register(connection, service.address(), "stranger");
            OpenIdClient app = Users.client(connection, "shop");
            OpenIdClient publicApp = OpenIdClient.register(
                            new Web(connection), "\"clientId\":\"phone\",\"public\":true")
                    .withScope(app.scope());
            OpenIdClient other = Users.client(connection, "strangers-shop");
            String session = victim.login().cookie();
            String code = app.code(session);
            TestResponse tokens = app.redeem(code).expect(200);
            String publicCode = publicApp.code(session);
            TestResponse publicTokens = publicApp.redeem(publicCode).expect(200);
            String strangers = other.code(stranger.login().cookie());

            Launch launch = fleet.launches().get(0);
            long before = EmbeddedDatabase.number(launch, ROWS);
            int rounds = bed.rounds(200, 5);
            for (int round = 0; round < rounds; round++) {
                for (String leaked : List.of(code, publicCode)) {
                    count(publicApp.withVerifier("x".repeat(43)).redeem(leaked));
                    count(publicApp.token(without("code_verifier", publicApp.redeeming(leaked))));
                    count(other.redeem(leaked));
                    count(new OpenIdClient(app.web(), app.id(), "guessed").redeem(leaked));
                }
                for (TestResponse issued : List.of(tokens, publicTokens)) {
                    count(other.refresh(issued.field("refresh_token")));
                }
                count(publicApp.refresh(tokens.field("refresh_token")));
                count(app.redeem(strangers));
            }
            boolean refused = statuses.keySet().stream().allMatch(status -> status / 100 == 4);
            bed.expect(refused, "responses to strangers %s", statuses);
            bed.expect(isAlive(app, tokens) && isAlive(publicApp, publicTokens), "no sign-in ended");
            bed.expect(other.redeem(strangers).ok(), "the stranger's own code works");
            long rows = EmbeddedDatabase.number(launch, ROWS) - before;
            bed.expect(rows <= MAX_ROWS, "%,d audit rows", rows);
        }
    }

    private void count(TestResponse response) {
        statuses.merge(response.status(), 1, Integer::sum);
    }

    private static Map<String, String> without(String parameter, Map<String, String> request) {
        Map<String, String> rest = new LinkedHashMap<>(request);
        rest.remove(parameter);
        return rest;
    }

    private static boolean isAlive(OpenIdClient app, TestResponse tokens) {
        return app.userinfo(tokens.field("access_token")).ok()
                && app.refresh(tokens.field("refresh_token")).ok();
    }
}
