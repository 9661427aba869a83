// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.outbox;

import dev.porchlight.drill.scenario.EmbeddedDatabase;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Task;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Invitations of new users, each with a message. Thread-safe. */
final class Invitations {
    private static final int WORKERS = 4;

    private final int perSecond;
    private final UnaryOperator<String> body;
    private final AtomicInteger users = new AtomicInteger();
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

    /** Sends requests at a rate, with the body for each user id. */
    Invitations(int perSecond, UnaryOperator<String> body) {
        this.perSecond = perSecond;
        this.body = body;
    }

    /** Sends for a while. */
    void send(Instance instance) throws Exception {
        var unused = start(instance).runFor(Duration.ofSeconds(5));
    }

    /** Kills the service while it receives invitations. */
    void kill(Instance instance) throws Exception {
        Loop loop = start(instance);
        Thread.sleep(ThreadLocalRandom.current().nextLong(1_000, 3_000));
        instance.kill();
        var unused = loop.stop();
    }

    private Loop start(Instance instance) {
        return Loop.open(
                perSecond,
                WORKERS,
                worker -> Task.over(instance.connect(), connection -> {
                    String user = "invited-" + users.incrementAndGet();
                    int status = post(connection, "/admin/enrollments", body.apply(user));
                    if (status / 100 == 2) {
                        acknowledged.add(user);
                    }
                    return status;
                }));
    }

    static int post(Connection connection, String path, String json) throws IOException {
        return connection
                .send("POST", path, json, "Content-Type", "application/json")
                .status();
    }

    /** The number of invitations that were acknowledged. */
    int acknowledged() {
        return acknowledged.size();
    }

    /** The number of messages that wait. */
    static long waiting(Launch launch) throws SQLException {
        return EmbeddedDatabase.number(
                launch, "SELECT COUNT(*) FROM porchlight_outbox WHERE next_attempt_at IS NOT NULL");
    }

    /** The users whose invitation was committed. */
    static Set<String> committed(Launch launch) throws SQLException {
        return new HashSet<>(EmbeddedDatabase.column(
                launch,
                "SELECT s.user_id FROM porchlight_audit AS a JOIN porchlight_audit_subject AS s"
                        + " ON s.subject = a.subject WHERE a.action = 'enrollment_issued'"));
    }

    /** Compares what was delivered with what was committed. */
    void compare(TestBed bed, Set<String> committed, Set<String> delivered, String message) {
        Set<String> lost = new HashSet<>(acknowledged);
        lost.addAll(committed);
        lost.removeAll(delivered);
        Set<String> invented = new HashSet<>(delivered);
        invented.removeAll(committed);
        bed.expect(
                lost.isEmpty() && !acknowledged.isEmpty(),
                "%d of %,d committed changes without %s",
                lost.size(),
                committed.size(),
                message);
        bed.expect(invented.isEmpty(), "%d times %s without a committed change", invented.size(), message);
    }
}
