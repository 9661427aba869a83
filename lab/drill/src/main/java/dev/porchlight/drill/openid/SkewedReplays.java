// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.openid;

import dev.porchlight.drill.scenario.FakeClock;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Web;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** R47: one instance is 90 s ahead, the other 90 s behind, and what may be used once is sent to both, repeatedly. */
public final class SkewedReplays {
    private static final Duration SKEW = Duration.ofSeconds(90);
    private static final int AHEAD = 0;
    private static final int BEHIND = 1;
    /** Longer than the interval at which instances remove what has expired. */
    private static final Duration SWEPT = Duration.ofSeconds(40);

    private final List<Connection> connections = new ArrayList<>();
    private final Map<String, List<Once>> items = new LinkedHashMap<>();

    /** Something that may be accepted once: whether an instance accepts it now, and how many times that was so. */
    private static final class Once {
        private final Predicate<Connection> attempt;
        private int accepted;

        private Once(Predicate<Connection> attempt) {
            this.attempt = attempt;
        }

        private void send(Connection connection) {
            accepted += attempt.test(connection) ? 1 : 0;
        }
    }

    public static void run(TestBed bed) throws Exception {
        new SkewedReplays().replay(bed);
    }

    private void replay(TestBed bed) throws Exception {
        List<FakeClock> clocks =
                List.of(new FakeClock(bed, "ahead", SKEW), new FakeClock(bed, "behind", SKEW.negated()));
        List<Launch> launches = bed.services(2, bed.postgres().jdbcUrl());
        for (int i = 0; i < launches.size(); i++) {
            clocks.get(i).on(launches.get(i));
        }
        List<Instance> instances = bed.start(launches);
        for (Instance instance : instances) {
            connections.add(bed.stopAtEnd(instance.connect()));
        }
        URI origin = instances.get(0).address();
        Connection behind = connections.get(BEHIND);
        Person ada = Users.register(behind, origin, "ada");
        OpenIdClient app = Users.client(behind, "app");
        FapiClient fapi = FapiClient.register(behind, origin, clocks.get(BEHIND));
        for (Instance instance : instances) {
            OneCodeManyTimes.awaitOpenId(instance, bed.limit(Duration.ofSeconds(20)));
        }
        String session = ada.tryLogin().cookie();
        String token = fapi.signIn(behind, session).field("access_token");
        int rounds = bed.rounds(20, 2);
        for (int round = 0; round < rounds; round++) {
            for (int maker : List.of(AHEAD, BEHIND)) {
                Connection at = connections.get(maker);
                FapiClient own = fapi.on(clocks.get(maker));
                String code = app.at(at).code(session);
                String request = own.client().at(at).begin(own.pushed(at));
                use("assertions", maker, assertion(own.assertion()));
                use("proofs", maker, proof(token, own));
                use("pushed requests", maker, to -> {
                    Web browser = new Web(to).cookie(session);
                    return OpenIdClient.response(OpenIdClient.proceed(browser, request))
                            .containsKey("code");
                });
                use("codes", maker, to -> app.at(to).redeem(code).ok());
            }
        }
        FapiClient first = fapi.on(clocks.get(AHEAD));
        List<Once> unused = List.of(new Once(assertion(first.assertion())), new Once(proof(token, first)));
        // The instance that was behind has the time at which the other one made and used its own, and that one has
        // removed what it takes for expired.
        for (int i = 0; i < clocks.size(); i++) {
            clocks.get(i).advance(SKEW.multipliedBy(2), connections.get(i));
        }
        bed.pass(SWEPT, () -> true);
        for (int to : List.of(BEHIND, AHEAD)) {
            Connection connection = bed.stopAtEnd(instances.get(to).connect()); // an idle one may have been closed
            items.values().forEach(kind -> kind.forEach(one -> one.send(connection)));
            unused.forEach(one -> one.send(connection));
        }
        // A code that an instance made three minutes ago, by the clock of the other, may be removed before it is
        // redeemed.
        items.forEach((kind, all) -> bed.expect(
                all.stream().allMatch(one -> one.accepted == 1 || kind.equals("codes") && one.accepted == 0),
                "%d of %d %s accepted once, %d never",
                all.stream().filter(one -> one.accepted == 1).count(),
                all.size(),
                kind,
                all.stream().filter(one -> one.accepted == 0).count()));
        bed.expect(
                unused.stream().allMatch(one -> one.accepted == 1),
                "an unused assertion and proof of the instance that was ahead accepted once");
    }

    /** Sends it to the instance with the clock that it was made with, to the other one, and again to both. */
    private void use(String kind, int maker, Predicate<Connection> attempt) {
        Once once = new Once(attempt);
        items.computeIfAbsent(kind, any -> new ArrayList<>()).add(once);
        for (int to : List.of(maker, 1 - maker, maker, 1 - maker)) {
            once.send(connections.get(to));
        }
    }

    private static Predicate<Connection> assertion(String assertion) {
        Map<String, String> form = new LinkedHashMap<>(FapiClient.asserted(assertion));
        form.put("token", "unknown");
        return to -> new Web(to).postForm("/oauth2/revoke", form).ok();
    }

    private static Predicate<Connection> proof(String token, FapiClient maker) {
        String proof = maker.proof("GET", OpenIdClient.USERINFO, token);
        return to -> new Web(to)
                .with("Authorization", "DPoP " + token, "DPoP", proof)
                .get(OpenIdClient.USERINFO)
                .ok();
    }
}
