// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
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
import java.util.Base64;
import java.util.List;

/** R28: a new signing key while users log in at two instances. */
public final class KeyRotation {
    private static final int WORKERS = 4;

    public void run(TestBed bed) throws Exception {
        List<Launch> launches = bed.services(2, bed.postgres().jdbcUrl());
        Instance first = bed.start(launches.get(0));
        Instance second = bed.start(launches.get(1));
        URI origin = first.address();
        People people = People.register(origin, "someone-", WORKERS);
        List<Connection> connections = List.of(bed.stopAtEnd(first.connect()), bed.stopAtEnd(second.connect()));
        Person ada = Users.register(connections.get(0), origin, "ada");
        String old = ada.at(connections.get(0)).tryLogin().field("token");
        String cached = keys(connections.get(0));
        try (Loop loop = Loop.closed(WORKERS, people.logins(origin, WORKERS, Patience.LIMIT))) {
            Launch command = bed.services(1, launches.get(0).variable("DATABASE_URL"))
                    .get(0)
                    .with("RP_ORIGIN", origin.toString());
            int status = bed.status(command, "keys", "rotate");
            bed.expect(status == 0, "keys rotate exited with %d", status);
            for (Connection connection : connections) {
                Event published = () -> !keys(connection).equals(cached);
                bed.expect(published.await(Patience.LIMIT), "the new key is published");
                String fresh = ada.at(connection).tryLogin().field("token");
                bed.expect(cached.contains(kid(fresh)), "a new token verifies with the key set from before");
                int oldStatus = session(connection, old);
                int newStatus = session(connection, fresh);
                bed.expect(oldStatus == 200 && newStatus == 200, "old token %d, new token %d", oldStatus, newStatus);
            }
            Outcome outcome = loop.stop();
            bed.expect(outcome.allOk(), "logins %s", outcome.statuses());
        }
    }

    private static String keys(Connection connection) throws IOException {
        return connection.get("/.well-known/jwks.json").body();
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
