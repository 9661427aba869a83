// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.KilledService;
import dev.porchlight.drill.scenario.Restartable;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.RefusedException;
import dev.porchlight.rig.load.RegistrationLoad;
import dev.porchlight.rig.load.Users;
import dev.porchlight.rig.process.MissingProgramException;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.remote.Person;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** R2: fsync fails. */
public final class SyncFails {

    private final List<Person> acknowledged = new ArrayList<>();
    private int registrations;
    private int unclean;
    private double failed;

    public void run(TestBed bed, Findings findings) throws Exception {
        Restartable killed = KilledService.on(bed);
        Instance service = killed.running();
        try (Connection connection = service.connect(Patience.LIMIT)) {
            Person ada = Users.register(connection, service.address(), "sync-ada");
            acknowledged.add(ada);
            int registered;
            int loggedIn;
            try (SyscallFault all = SyscallFault.inject(service, "fsync,fdatasync:error=EIO", bed.directory())) {
                registered = register(service, connection, 10);
                loggedIn = login(connection, ada, 10);
                findings.note("all syncs fail: %d failed", all.injected());
            }
            findings.expect(registered + loggedIn == 0, "%d registered, %d logged in", registered, loggedIn);
            findings.expect(register(service, connection, 1) == 1, "works again immediately");
            for (int k = 1; k <= bed.rounds(8, 2); k++) {
                single(service, connection, k, bed, findings);
            }
        }
        findings.expect(failed > 0, "%.0f requests and audit rows failed with their sync", failed);
        findings.expect(unclean == 0, "%d refusals other than 503", unclean);
        service.kill();
        Instance again = killed.running();
        try (Connection connection = again.connect(Patience.LIMIT)) {
            int missing = RegistrationLoad.missing(connection, acknowledged);
            findings.expect(
                    missing == 0, "after kill -9 %d of %d acknowledged passkeys missing", missing, acknowledged.size());
        }
    }

    private void single(Instance service, Connection connection, int k, TestBed bed, Findings findings)
            throws IOException, InterruptedException, MissingProgramException {
        int tries = 20;
        int registered;
        int injected;
        double lostBefore = service.metric("audit_rows_total{result=\"lost\"}");
        try (SyscallFault one = SyscallFault.inject(service, "fsync,fdatasync:error=EIO:when=" + k, bed.directory())) {
            registered = register(service, connection, tries);
            injected = one.injected();
        }
        double lost = service.metric("audit_rows_total{result=\"lost\"}") - lostBefore;
        int refused = tries - registered;
        failed += refused + lost;
        boolean well = register(service, connection, 1) == 1;
        findings.expect(
                refused <= injected && well,
                "k = %d: %d failed syncs, %d of %d refused, %.0f audit rows counted as lost, %s afterwards",
                k,
                injected,
                refused,
                tries,
                lost,
                well ? "works" : "broken");
    }

    private int register(Instance service, Connection connection, int times) throws IOException {
        int registered = 0;
        for (int i = 0; i < times; i++) {
            try {
                acknowledged.add(Users.register(connection, service.address(), "sync-" + ++registrations));
                registered++;
            } catch (RefusedException e) {
                unclean += e.response().status() == 503 ? 0 : 1;
            }
        }
        return registered;
    }

    private int login(Connection connection, Person person, int times) throws IOException {
        int loggedIn = 0;
        for (int i = 0; i < times; i++) {
            int status = person.at(connection).tryLogin().status();
            loggedIn += status == 200 ? 1 : 0;
            unclean += status == 200 || status == 503 ? 0 : 1;
        }
        return loggedIn;
    }
}
