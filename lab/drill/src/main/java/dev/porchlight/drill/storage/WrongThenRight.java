// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Findings;
import dev.porchlight.drill.scenario.Fleet;
import dev.porchlight.drill.scenario.Store;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
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
            Person ada = Users.register(connection, fleet.first().address(), "wrong-then-right");
            Mutation mutation = Mutations.named(CeremonyType.AUTHENTICATION, "signature-one-bit-off");
            for (int i = 0; i < rounds; i++) {
                TestResponse options = ada.options();
                String invalid = ada.browser().get(options.body(), mutation);
                wrong += ada.finishLogin(invalid).status() == 401 ? 1 : 0;
                late += ada.finishLogin(ada.respond(options)).status() == 401 ? 1 : 0;
                fresh += ada.tryLogin().ok() ? 1 : 0;
            }
        }
        findings.note("%d rounds", rounds);
        findings.expect(wrong == rounds, "%d invalid responses refused", wrong);
        findings.expect(late == rounds, "%d valid responses after them refused", late);
        findings.expect(fresh == rounds, "%d logins with a new challenge succeeded", fresh);
    }
}
