// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.Users;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.remote.Person;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;

/** R28: a new signing key while users log in at two instances. */
public final class KeyRotation {
    private static final Duration TAKEN_UP = Duration.ofSeconds(60);
    private static final int WORKERS = 4;

    public void run(TestBed bed) throws Exception {
        List<Launch> launches = bed.services(2, bed.postgres().jdbcUrl());
        Instance first = bed.start(launches.get(0));
        Instance second = bed.start(launches.get(1));
        URI origin = first.address();
        People people = People.register(origin, "someone-", WORKERS);
        Connection atFirst = bed.stopAtEnd(first.connect(Patience.LIMIT));
        Connection atSecond = bed.stopAtEnd(second.connect(Patience.LIMIT));
        Person ada = Users.register(atFirst, origin, "ada");
        String old = ada.at(atFirst).tryLogin().field("token");
        long rotated;
        long takenUp;
        try (Loop loop = Loop.closed(WORKERS, people.logins(origin, WORKERS, Patience.LIMIT))) {
            Thread.sleep(1_000);
            Launch command = bed.services(1, launches.get(0).variable("DATABASE_URL"))
                    .get(0)
                    .with("RP_ORIGIN", origin.toString());
            int status = bed.status(command, "keys", "rotate");
            bed.expect(status == 0, "keys rotate exited with %d", status);
            rotated = System.nanoTime();
            takenUp = awaitNewKey(old, ada, List.of(atFirst, atSecond));
            Outcome outcome = loop.stop();
            bed.expect(outcome.allOk(), "logins %s", outcome.statuses());
        }
        double seconds = (takenUp - rotated) / 1e9;
        bed.expect(seconds <= TAKEN_UP.toSeconds(), "both sign with the new key after %.0f s", seconds);
        String fresh = ada.at(atFirst).tryLogin().field("token");
        for (Connection connection : List.of(atFirst, atSecond)) {
            String keys = connection.get("/.well-known/jwks.json").body();
            bed.expect(keys.contains(kid(old)) && keys.contains(kid(fresh)), "both keys are published");
            int oldStatus = session(connection, old);
            int newStatus = session(connection, fresh);
            bed.expect(oldStatus == 200 && newStatus == 200, "old token %d, new token %d", oldStatus, newStatus);
        }
    }

    private static long awaitNewKey(String old, Person ada, List<Connection> connections)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + 2 * TAKEN_UP.toNanos();
        boolean all = false;
        while (!all && System.nanoTime() < deadline) {
            Thread.sleep(500);
            all = true;
            for (Connection connection : connections) {
                String token = ada.at(connection).tryLogin().field("token");
                all &= !token.isEmpty() && !kid(token).equals(kid(old));
            }
        }
        return System.nanoTime();
    }

    private static int session(Connection connection, String token) throws IOException {
        return connection
                .get("/auth/session", "Authorization", "Bearer " + token)
                .status();
    }

    private static String kid(String token) {
        String header = new String(Base64.getUrlDecoder().decode(token.split("\\.", -1)[0]), StandardCharsets.UTF_8);
        return header.replaceFirst(".*\"kid\":\"([^\"]+)\".*", "$1");
    }
}
