// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.lifecycle;

import dev.porchlight.drill.row.About;
import dev.porchlight.drill.row.Findings;
import dev.porchlight.drill.row.Ground;
import dev.porchlight.drill.row.Promise;
import dev.porchlight.drill.row.Row;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.ClosedLoop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.Person;
import dev.porchlight.rig.load.Task;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** R29: a backup while people register and sign in, put in place elsewhere. */
public final class BackupUnderLoad implements Row {
    private static final int WORKERS = 8;
    /** How many logins and registrations make a phase long enough, in short. */
    private static final int ENOUGH = 50;

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @Override
    public About about() {
        return new About(
                "R29",
                "a backup while people register and sign in, restored elsewhere, 5 times",
                "the backup passes its checks; all who had registered before it began sign in at the restored service; nobody"
                        + " at the running one is refused",
                Promise.P1,
                Promise.P6);
    }

    @Override
    public void run(Ground ground, Findings findings) throws IOException, InterruptedException {
        int rounds = ground.rounds(5, 1);
        Launch launch = ground.service();
        Instance service = ground.start(launch);
        People people = People.register(service.address(), service.address(), "user-", WORKERS);
        List<Person> newcomers = new CopyOnWriteArrayList<>();
        AtomicInteger names = new AtomicInteger();
        int restored = 0;
        int expected = 0;
        try (ClosedLoop logins = new ClosedLoop(WORKERS, people.logins(service.address(), WORKERS, TIMEOUT));
                ClosedLoop registrations = new ClosedLoop(2, worker -> new Registering(service, newcomers, names))) {
            for (int round = 0; round < rounds; round++) {
                ground.pass(Duration.ofSeconds(3), logins.successes(ENOUGH).and(registrations.successes(ENOUGH)));
                List<Person> registered = List.copyOf(newcomers);
                Path file = ground.directory().resolve("backup-" + round);
                launch.call("backup", file.toString());
                expected += registered.size();
                restored += signInElsewhere(ground, file, service, registered);
            }
            Outcome signedIn = logins.stop();
            Outcome signedUp = registrations.stop();
            findings.note("%d backups", rounds);
            findings.expect(signedIn.ok() == signedIn.count(), "logins meanwhile %s", signedIn);
            findings.expect(signedUp.ok() == signedUp.count(), "registrations meanwhile %s", signedUp.statuses());
        }
        findings.expect(restored == expected, "%,d of %,d signed in at the restored services", restored, expected);
    }

    private static int signInElsewhere(Ground ground, Path file, Instance original, List<Person> people)
            throws IOException, InterruptedException {
        Launch elsewhere = ground.service().with("RP_ORIGIN", original.address().toString());
        elsewhere.call("restore", file.toString());
        int passed = 0;
        try (Instance service = elsewhere.start();
                Connection connection = service.connect(TIMEOUT)) {
            for (Person person : people) {
                passed += person.login(connection).ok() ? 1 : 0;
            }
        }
        return passed;
    }

    /** Registers one newcomer after another. */
    private static final class Registering implements Task {
        private final Connection connection;
        private final Instance service;
        private final List<Person> registered;
        private final AtomicInteger names;

        Registering(Instance service, List<Person> registered, AtomicInteger names) {
            this.connection = service.connect(TIMEOUT);
            this.service = service;
            this.registered = registered;
            this.names = names;
        }

        @Override
        public int run() throws IOException {
            registered.add(Person.register(connection, service.address(), "newcomer-" + names.incrementAndGet()));
            return 201;
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
