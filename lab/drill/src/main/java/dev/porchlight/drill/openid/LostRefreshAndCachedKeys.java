// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.openid;

import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.SignedJWT;
import dev.porchlight.drill.scenario.FakeClock;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.fault.FaultProxy;
import dev.porchlight.rig.fault.Toxics;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** R52: the signing keys are rotated while applications cache the key set, and responses to refreshes are lost. */
public final class LostRefreshAndCachedKeys {
    /** How long applications keep the key set, in minutes. */
    private static final int CACHED = 5;

    public void run(TestBed bed) throws Exception {
        FakeClock clock = new FakeClock(bed);
        List<Launch> launches = bed.services(2, bed.postgres().jdbcUrl());
        for (Launch launch : launches) {
            clock.on(launch);
        }
        List<Instance> instances = bed.start(launches);
        List<Connection> connections = instances.stream()
                .map(instance -> bed.stopAtEnd(instance.connect()))
                .toList();
        URI origin = instances.get(0).address();
        Person ada = Users.register(connections.get(0), origin, "ada");
        FapiClient fapi = FapiClient.register(connections.get(0), origin, clock);
        OpenIdClient app = Users.client(connections.get(0), "app");
        // Within some seconds an instance notices that there is a client.
        for (Connection connection : connections) {
            Event on = () -> connection.get("/.well-known/openid-configuration").ok();
            bed.expect(on.await(Patience.LIMIT), "an instance offers OpenID Connect");
        }
        Launch command =
                bed.services(1, launches.get(0).variable("DATABASE_URL")).get(0).with("RP_ORIGIN", origin.toString());
        rotate(bed, command, clock, app, ada, connections);
        try (FaultProxy proxy = new FaultProxy(instances.get(0).port());
                Connection behind = instances.get(0).at(proxy.port()).connect()) {
            lose(bed, proxy, behind, clock, fapi, ada, connections);
        }
    }

    /** Signs in each minute; every token must verify with all cached key sets, of which one expires each minute. */
    private static void rotate(
            TestBed bed, Launch command, FakeClock clock, OpenIdClient app, Person ada, List<Connection> connections)
            throws Exception {
        List<JWKSet> caches = new ArrayList<>();
        for (int i = 0; i < CACHED; i++) {
            caches.add(keys(connections.get(i % connections.size())));
        }
        bed.expect(bed.status(command, "keys", "rotate") == 0, "keys rotated");
        Set<String> signed = new HashSet<>();
        int checks = 0;
        int verified = 0;
        for (int minute = 0; minute <= 3 * CACHED; minute++) {
            clock.set(Duration.ofMinutes(minute), connections.get(0));
            for (Connection connection : connections) {
                OpenIdClient client = app.at(connection);
                String session = ada.at(connection).tryLogin().cookie();
                TestResponse tokens = client.redeem(client.code(session)).expect(200);
                for (String name : List.of("id_token", "access_token")) {
                    SignedJWT token = SignedJWT.parse(tokens.field(name));
                    signed.add(token.getHeader().getKeyID());
                    for (JWKSet cache : caches) {
                        checks++;
                        verified += verifies(token, cache) ? 1 : 0;
                    }
                }
            }
            caches.set(minute % CACHED, keys(connections.get(minute % connections.size())));
        }
        bed.expect(
                verified == checks,
                "%d tokens of %d minutes: %d of %d checks with cached keys succeed",
                checks / CACHED,
                3 * CACHED,
                verified,
                checks);
        bed.expect(signed.size() == 4, "%d keys signed, two of each algorithm", signed.size());
    }

    private static JWKSet keys(Connection connection) throws Exception {
        return JWKSet.parse(connection.get("/.well-known/jwks.json").body());
    }

    private static boolean verifies(SignedJWT token, JWKSet keys) throws Exception {
        JWK key = keys.getKeyByKeyId(token.getHeader().getKeyID());
        return key instanceof AsymmetricJWK known
                && token.verify(
                        new DefaultJWSVerifierFactory().createJWSVerifier(token.getHeader(), known.toPublicKey()));
    }

    /** The response to a refresh is lost on the way; 30 seconds later the client repeats it at the other instance. */
    private static void lose(
            TestBed bed,
            FaultProxy proxy,
            Connection behind,
            FakeClock clock,
            FapiClient fapi,
            Person ada,
            List<Connection> connections)
            throws IOException, InterruptedException {
        Connection first = connections.get(0);
        Connection second = connections.get(1);
        int rounds = bed.rounds(20, 2);
        int lost = 0;
        int repeated = 0;
        int once = 0;
        int late = 0;
        for (int round = 0; round < rounds; round++) {
            String session = ada.at(first).tryLogin().cookie();
            String token = fapi.signIn(first, session).field("refresh_token");
            lost += isLost(proxy, behind, fapi, token) ? 1 : 0;
            clock.advance(Duration.ofSeconds(30), first);
            TestResponse retried = fapi.refresh(second, token);
            TestResponse next = fapi.refresh(first, retried.field("refresh_token"));
            repeated += retried.ok() && next.ok() ? 1 : 0;
            int again = fapi.refresh(second, token).status();
            int ended = fapi.refresh(first, next.field("refresh_token")).status();
            once += again == 400 && ended == 400 ? 1 : 0;

            String other = fapi.signIn(first, session).field("refresh_token");
            lost += isLost(proxy, behind, fapi, other) ? 1 : 0;
            clock.advance(Duration.ofSeconds(90), first);
            late += fapi.refresh(second, other).status() == 400 ? 1 : 0;
        }
        bed.expect(lost == 2 * rounds, "%d responses to refreshes lost", lost);
        bed.expect(repeated == rounds, "%d of %d repeated after 30 s, at the other instance", repeated, rounds);
        bed.expect(once == rounds, "%d more repetitions refused, which ended the sign-in", once);
        bed.expect(late == rounds, "%d of %d refused after 90 s", late, rounds);
    }

    private static boolean isLost(FaultProxy proxy, Connection behind, FapiClient fapi, String token) {
        proxy.set(Toxics.NONE.resetEvery(1)); // the request arrives, the response does not
        try {
            fapi.refresh(behind, token);
            return false;
        } catch (UncheckedIOException e) {
            return true;
        }
    }
}
