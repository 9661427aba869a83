// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.lifecycle;

import dev.porchlight.drill.scenario.Fleet;
import dev.porchlight.drill.scenario.Fleet.Store;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.RegistrationLoad;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.remote.Person;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** R29: a backup while users register and sign in, restored elsewhere. */
public final class BackupUnderLoad {
    private static final int WORKERS = 8;
    /** In short mode, this many logins and registrations end a phase. */
    private static final int ENOUGH = 50;

    public void run(TestBed bed) throws Exception {
        int rounds = bed.rounds(5, 1);
        Fleet fleet = bed.services().fleet(Store.SQLITE);
        Instance service = fleet.first();
        People people = People.register(service.address(), "backup-", WORKERS);
        RegistrationLoad newcomers = new RegistrationLoad(service.address(), "newcomer-");
        Map<Path, List<Person>> backups = new LinkedHashMap<>();
        try (Loop logins = bed.withoutPause(WORKERS, 40, people.logins(service.address(), WORKERS, Patience.LIMIT));
                Loop registrations = bed.withoutPause(2, 20, newcomers.tasks(service.address(), Patience.LIMIT))) {
            for (int round = 0; round < rounds; round++) {
                bed.pass(Duration.ofSeconds(3), logins.successes(ENOUGH).and(registrations.successes(ENOUGH)));
                List<Person> registered = newcomers.acknowledged();
                Path file = bed.directory().resolve("backup-" + round);
                bed.call(fleet.launches().get(0), "backup", file.toString());
                backups.put(file, registered);
            }
            Outcome signedIn = logins.stop();
            Outcome signedUp = registrations.stop();
            bed.note("%d backups", rounds);
            bed.expect(signedIn.allOk(), "logins during the backup %s", signedIn);
            bed.expect(signedUp.allOk(), "registrations during the backup %s", signedUp.statuses());
        }
        int restored = 0;
        int expected = 0;
        for (Map.Entry<Path, List<Person>> backup : backups.entrySet()) {
            expected += backup.getValue().size();
            restored += signInElsewhere(bed, backup.getKey(), service, backup.getValue());
        }
        bed.expect(restored == expected, "%,d of %,d signed in at the restored services", restored, expected);
    }

    private static int signInElsewhere(TestBed bed, Path file, Instance original, List<Person> people)
            throws IOException, InterruptedException {
        Launch elsewhere = bed.service().with("RP_ORIGIN", original.address().toString());
        bed.call(elsewhere, "restore", file.toString());
        try (Instance service = elsewhere.start();
                Connection connection = service.connect()) {
            return people.size() - RegistrationLoad.missing(connection, people);
        }
    }
}
