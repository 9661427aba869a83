// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.outbox;

import dev.porchlight.drill.outbox.WebhookTarget.State;
import dev.porchlight.drill.scenario.EmbeddedDatabase;
import dev.porchlight.drill.scenario.Services.Restartable;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Task;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** R48: the target of a webhook fails while users are invited, and the service is killed between a change and its delivery. */
public final class WebhookOutages {
    private static final int PER_SECOND = 100;
    private static final int WORKERS = 4;
    private static final long MAX_WAITING = 1_000;
    /** Messages that a killed process was sending are repeated after two minutes. */
    private static final Duration DELIVERED = Duration.ofMinutes(5);

    private final AtomicInteger users = new AtomicInteger();
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

    public void run(TestBed bed) throws Exception {
        Launch launch = bed.service();
        Restartable service = new Restartable(bed, launch);
        try (WebhookTarget target = new WebhookTarget()) {
            try (Connection connection = service.running().connect()) {
                String settings = "{\"url\":\"" + target.url() + "\",\"events\":[\"user.invited\"]}";
                int added = post(connection, "/admin/webhooks", settings);
                bed.expect(added == 201, "the endpoint is added with %d", added);
            }
            for (State state : List.of(State.DOWN, State.REFUSING, State.HUNG)) {
                target.become(state);
                var unused = invitations(service.running()).runFor(Duration.ofSeconds(5));
            }
            int kills = bed.rounds(5, 1);
            for (int i = 0; i < kills; i++) {
                Instance instance = service.running();
                Loop loop = invitations(instance);
                Thread.sleep(ThreadLocalRandom.current().nextLong(1_000, 3_000));
                instance.kill();
                var unused = loop.stop();
            }
            Instance last = service.running();
            bed.note("%,d invitations acknowledged, killed %d times", acknowledged.size(), kills);
            long waiting = EmbeddedDatabase.number(
                    launch, "SELECT COUNT(*) FROM porchlight_outbox WHERE next_attempt_at IS NOT NULL");
            bed.expect(waiting <= MAX_WAITING, "%,d messages wait, the others in the audit log", waiting);
            bed.note("%d MB resident", last.residentKb() / 1_024);
            deliver(bed, committed(launch), target);
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
        Set<String> lost = new HashSet<>(acknowledged);
        lost.addAll(committed);
        lost.removeAll(target.users());
        Set<String> invented = new HashSet<>(target.users());
        invented.removeAll(committed);
        bed.expect(
                lost.isEmpty() && !acknowledged.isEmpty(),
                "%d of %,d committed changes without an event",
                lost.size(),
                committed.size());
        bed.expect(invented.isEmpty(), "%d events without a committed change", invented.size());
        bed.note("%d copies", target.messages() - target.users().size());
    }

    private Loop invitations(Instance instance) {
        return Loop.open(
                PER_SECOND,
                WORKERS,
                worker -> Task.over(instance.connect(), connection -> {
                    String user = "invited-" + users.incrementAndGet();
                    int status = post(connection, "/admin/enrollments", "{\"userId\":\"" + user + "\"}");
                    if (status == 201) {
                        acknowledged.add(user);
                    }
                    return status;
                }));
    }

    private static int post(Connection connection, String path, String json) throws IOException {
        return connection
                .send("POST", path, json, "Content-Type", "application/json")
                .status();
    }

    /** The users whose invitation was committed. */
    private static Set<String> committed(Launch launch) throws SQLException {
        return new HashSet<>(EmbeddedDatabase.column(
                launch,
                "SELECT s.user_id FROM porchlight_audit AS a JOIN porchlight_audit_subject AS s"
                        + " ON s.subject = a.subject WHERE a.action = 'enrollment_issued'"));
    }
}
