// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.Fleet;
import dev.porchlight.drill.scenario.Store;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.http.Response;
import dev.porchlight.rig.load.Person;
import java.time.Duration;

/** R5: a valid response to a challenge that an invalid one has used. */
public final class WrongThenRight {
    public void run(TestBed bed, Findings findings) throws Exception {
        int rounds = bed.rounds(100, 10);
        int wrong = 0;
        int late = 0;
        int fresh = 0;
        try (Fleet fleet = bed.fleet(Store.SQLITE);
                Connection connection = fleet.first().connect(Duration.ofSeconds(10))) {
            Person ada = Person.register(connection, fleet.first().address(), "wrong-then-right");
            for (int i = 0; i < rounds; i++) {
                Response options = ada.options(connection);
                wrong += ada.finish(connection, ada.respondWrongly(options)).status() == 401 ? 1 : 0;
                late += ada.finish(connection, ada.respond(options)).status() == 401 ? 1 : 0;
                fresh += ada.login(connection).ok() ? 1 : 0;
            }
        }
        findings.note("%d rounds", rounds);
        findings.expect(wrong == rounds, "%d invalid responses refused", wrong);
        findings.expect(late == rounds, "%d valid responses after them refused", late);
        findings.expect(fresh == rounds, "%d logins with a new challenge succeeded", fresh);
    }
}
