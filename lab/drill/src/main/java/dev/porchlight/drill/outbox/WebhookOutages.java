// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.outbox;

import dev.porchlight.drill.outbox.WebhookTarget.State;
import dev.porchlight.drill.scenario.Services.Restartable;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** R48: the target of a webhook fails while users are invited, and the service is killed between a change and its delivery. */
public final class WebhookOutages {
    private static final int PER_SECOND = 100;
    private static final long MAX_WAITING = 1_000;
    /** Messages that a killed process was sending are repeated after two minutes. */
    static final Duration DELIVERED = Duration.ofMinutes(5);

    private final Invitations invitations = new Invitations(PER_SECOND, user -> "{\"userId\":\"" + user + "\"}");

    public void run(TestBed bed) throws Exception {
        Launch launch = bed.service();
        Restartable service = new Restartable(bed, launch);
        try (WebhookTarget target = new WebhookTarget()) {
            try (Connection connection = service.running().connect()) {
                String settings = "{\"url\":\"" + target.url() + "\",\"events\":[\"user.invited\"]}";
                int added = Invitations.post(connection, "/admin/webhooks", settings);
                bed.expect(added == 201, "the endpoint is added with %d", added);
            }
            for (State state : List.of(State.DOWN, State.REFUSING, State.HUNG)) {
                target.become(state);
                invitations.send(service.running());
            }
            int kills = bed.rounds(5, 1);
            for (int i = 0; i < kills; i++) {
                invitations.kill(service.running());
            }
            Instance last = service.running();
            bed.note("%,d invitations acknowledged, killed %d times", invitations.acknowledged(), kills);
            long waiting = Invitations.waiting(launch);
            bed.expect(waiting <= MAX_WAITING, "%,d messages wait, the others in the audit log", waiting);
            bed.note("%d MB resident", last.residentKb() / 1_024);
            deliver(bed, Invitations.committed(launch), target);
        }
    }

    private void deliver(TestBed bed, Set<String> committed, WebhookTarget target) throws Exception {
        long back = System.nanoTime();
        target.become(State.UP);
        Event all = () -> target.users().size() >= committed.size();
        bed.expect(
                all.await(DELIVERED),
                "all delivered %.0f s after the target is back",
                (System.nanoTime() - back) / 1e9);
        invitations.compare(bed, committed, target.users(), "an event");
        bed.note("%d copies", target.messages() - target.users().size());
    }
}
