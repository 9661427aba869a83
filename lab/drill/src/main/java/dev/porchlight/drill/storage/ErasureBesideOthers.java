// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Fleet;
import dev.porchlight.drill.scenario.Fleet.Store;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.Parallel;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.net.URI;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;

/** R46: users are erased at one instance while the other registers, refreshes, imports and changes them. */
public final class ErasureBesideOthers {
    /** An import is a process, so only one round in this many has one. */
    private static final int PER_IMPORT = 25;

    public void run(TestBed bed) throws Exception {
        try (Fleet fleet = bed.services().fleet(Store.POSTGRESQL)) {
            int rounds = bed.rounds(500, 5);
            int known = 0;
            int done = 0;
            int left = 0;
            List<Connection> connections = fleet.connect(bed, 10);
            OpenIdClient app = Users.client(connections.get(0), "erasing");
            Launch command = bed.services(1, fleet.launches().get(0).variable("DATABASE_URL"))
                    .get(0);
            for (int round = 0; round < rounds; round++) {
                String userId = "leaver-" + round;
                Race race = new Race(connections, app, fleet.first().address(), userId);
                if (round % PER_IMPORT == 0) {
                    Path file = bed.directory().resolve("export-" + round);
                    bed.call(command, "export", file.toString());
                    race.others.add(() -> bed.status(command, "import", file.toString()));
                }
                known += found(command, userId);
                done += race.run() == 204 ? 1 : 0;
                left += found(command, userId);
            }
            bed.expect(done == rounds, "%d of %d users erased", done, rounds);
            bed.expect(known > rounds && left == 0, "%,d rows with one of them before, %d afterwards", known, left);
        }
    }

    /** The rows of all tables in which a text occurs. */
    private static int found(Launch launch, String text) throws SQLException {
        try (var database = DriverManager.getConnection(launch.variable("DATABASE_URL"));
                Statement statement = database.createStatement()) {
            List<String> tables = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("SELECT table_name FROM information_schema.tables"
                    + " WHERE table_schema = 'public' AND table_type = 'BASE TABLE'")) {
                while (rows.next()) {
                    tables.add("SELECT 1 FROM " + rows.getString(1) + " AS r WHERE r::text ~ '\\y" + text + "\\y'");
                }
            }
            int count = 0;
            try (ResultSet rows = statement.executeQuery(String.join(" UNION ALL ", tables))) {
                while (rows.next()) {
                    count++;
                }
            }
            return count;
        }
    }

    /** An erasure and the requests beside it. */
    private static final class Race {
        private final Callable<Integer> erasure;
        private final List<Callable<Integer>> others = new ArrayList<>();

        Race(List<Connection> connections, OpenIdClient app, URI origin, String userId) throws Exception {
            Connection here = connections.get(0);
            Person leaver = Users.register(here, origin, userId);
            TestResponse login = leaver.login().expect(200);
            OpenIdClient there = app.at(connections.get(1));
            String refreshToken =
                    there.redeem(there.code(login.cookie())).expect(200).field("refresh_token");
            Web bearer = new Web(connections.get(3)).bearer(login.field("token"));
            Person second =
                    new Person(new Web(connections.get(3)), origin.toString(), userId, SoftAuthenticator.securityKey());
            TestResponse options = bearer.get(Person.REGISTER_OPTIONS).expect(200);
            String path = "/admin/users/" + userId;
            erasure = () -> new Web(here).delete(path).status();
            others.add(() -> second.finishRegistration(bearer, options).status());
            others.add(() -> there.refresh(refreshToken).status());
            others.add(() -> leaver.at(connections.get(5)).loginRegardless().status());
            others.add(() -> new Web(connections.get(7))
                    .patch(path, "{\"groups\":[\"staff\"],\"name\":\"" + userId + "\"}")
                    .status());
        }

        /** The status of the erasure. */
        int run() throws Exception {
            CyclicBarrier together = new CyclicBarrier(others.size() + 1);
            List<Callable<Integer>> all = new ArrayList<>(others);
            all.add(0, erasure);
            return Parallel.map(all, call -> {
                        together.await();
                        return call.call();
                    })
                    .get(0);
        }
    }
}
