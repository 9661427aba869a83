// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.row.About;
import dev.porchlight.drill.row.Findings;
import dev.porchlight.drill.row.Ground;
import dev.porchlight.drill.row.Promise;
import dev.porchlight.drill.row.Row;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Answer;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Person;
import java.io.IOException;
import java.time.Duration;

/** R5: the right answer to a challenge that a wrong one has spent. */
public final class WrongThenRight implements Row {
    @Override
    public About about() {
        return new About(
                "R5",
                "a login fails its verification, then the right answer comes with the same challenge, 100 times",
                "the second is refused each time; a new challenge lets the same person in",
                Promise.P2,
                Promise.P3);
    }

    @Override
    public void run(Ground ground, Findings findings) throws IOException, InterruptedException {
        int rounds = ground.rounds(100, 10);
        Instance service = ground.start(ground.service());
        int wrong = 0;
        int late = 0;
        int fresh = 0;
        try (Connection connection = service.connect(Duration.ofSeconds(10))) {
            Person ada = Person.register(connection, service.address(), "ada");
            for (int i = 0; i < rounds; i++) {
                Answer options = ada.options(connection);
                wrong += ada.finish(connection, ada.respondWrongly(options)).status() == 401 ? 1 : 0;
                late += ada.finish(connection, ada.respond(options)).status() == 401 ? 1 : 0;
                fresh += ada.login(connection).ok() ? 1 : 0;
            }
        }
        findings.note("%d rounds", rounds);
        findings.expect(wrong == rounds, "%d wrong answers refused", wrong);
        findings.expect(late == rounds, "%d right ones after them refused", late);
        findings.expect(fresh == rounds, "%d logins with a new challenge passed", fresh);
    }
}
