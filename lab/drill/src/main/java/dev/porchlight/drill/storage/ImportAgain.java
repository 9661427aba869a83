// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Fleet;
import dev.porchlight.drill.scenario.Fleet.Store;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.Web;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** R44: an export is imported again after passkeys were removed and users erased, while users sign in. */
public final class ImportAgain {
    private static final int USERS = 10;

    public void run(TestBed bed) throws Exception {
        Store[] stores = bed.rounds(1, 0) > 0 ? Store.values() : new Store[] {Store.SQLITE};
        for (Store store : stores) {
            try (Fleet fleet = bed.services().fleet(store)) {
                repeat(fleet, bed);
            }
        }
    }

    private static void repeat(Fleet fleet, TestBed bed) throws Exception {
        Instance service = fleet.first();
        String prefix = "again-" + fleet.store() + '-';
        Launch command = bed.service()
                .with("DATABASE_URL", fleet.launches().get(0).variable("DATABASE_URL"))
                .with("DATA_DIR", fleet.launches().get(0).data().toString())
                .with("RP_ORIGIN", service.address().toString());
        String file = bed.directory().resolve(prefix + "export").toString();
        List<Person> ended = new ArrayList<>();
        try (Connection connection = service.connect()) {
            Web admin = new Web(connection);
            List<Person> thieves = new ArrayList<>();
            List<Person> erased = new ArrayList<>();
            for (int i = 0; i < USERS; i++) {
                Person owner = Users.register(connection, service.address(), prefix + "owner-" + i);
                thieves.add(Users.enroll(connection, service.address(), owner.userId(), token(owner)));
                erased.add(Users.register(connection, service.address(), prefix + "erased-" + i));
            }
            bed.call(command, "export", file);
            try (Loop logins = bed.signIns(prefix + "user-", service, 4, 5, Duration.ofSeconds(1))) {
                for (int i = 0; i < USERS; i++) {
                    String owner = "/admin/users/" + thieves.get(i).userId();
                    admin.delete(owner + "/passkeys/" + thieves.get(i).credentialId())
                            .expect(204);
                    admin.delete("/admin/users/" + erased.get(i).userId()).expect(204);
                }
                int imports = bed.rounds(5, 1);
                for (int i = 0; i < imports; i++) {
                    bed.call(command, "import", file);
                }
                long reported = reported(command) / imports;
                Outcome outcome = logins.stop();
                bed.expect(
                        reported == 3 * USERS,
                        "%s: %d imports, %d lines reported in each",
                        fleet.store(),
                        imports,
                        reported);
                bed.expect(outcome.allOk(), "logins beside them %s", outcome);
            }
            ended.addAll(thieves);
            ended.addAll(erased);
        }
        try (Connection connection = service.connect()) { // the first may have been idle for too long
            long revived = ended.stream()
                    .filter(person -> person.at(connection).loginRegardless().status() != 401)
                    .count();
            bed.expect(revived == 0, "%d of %d removed passkeys and erased users sign in", revived, ended.size());
        }
        bed.expect(bed.status(command, "audit", "verify") == 0, "the audit log verifies");
    }

    private static String token(Person owner) {
        return owner.login().expect(200).field("token");
    }

    /** The lines about removed passkeys, and about erased users with their passkeys. */
    private static long reported(Launch command) throws IOException {
        try (var lines = Files.lines(command.log())) {
            return lines.filter(line -> line.contains(", not imported")).count();
        }
    }
}
