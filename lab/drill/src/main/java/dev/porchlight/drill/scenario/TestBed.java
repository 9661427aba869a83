// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.Workspace;
import dev.porchlight.rig.database.Cluster;
import dev.porchlight.rig.load.ClosedLoop;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.OpenLoop;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.Task;
import dev.porchlight.testkit.postgres.PostgresMissingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * What a scenario runs on: its own directory, and the processes it starts, which are stopped when it ends. Thread-safe.
 *
 * <p>All instances share one secret. After the scenario no log may contain it, which is promise P10.
 */
public final class TestBed implements AutoCloseable {
    private static final String SECRET = "drill-secret-6b1f0c5d9e8a7742-never-to-be-printed";

    private final Workspace workspace = new Workspace("porchlight-drill");
    private final boolean shortened;
    private int launches;

    /** A test bed on which long scenarios are shortened, or not. */
    public TestBed(boolean shortened) throws IOException {
        this.shortened = shortened;
    }

    /** How often to do a thing: as often as the table says, or a few times where time is short. */
    public int rounds(int inFull, int inShort) {
        return shortened ? inShort : inFull;
    }

    /** Lets time pass: in full as long as the table says, in short only until the event, and no longer than in full. */
    public void pass(Duration inFull, Event enough) throws IOException, InterruptedException {
        if (shortened) {
            enough.await(inFull);
        } else {
            Thread.sleep(inFull.toMillis());
        }
    }

    /** A limit in milliseconds, in which speed is judged only in full: tests may run where other work is going on. */
    public long limit(long millis) {
        return shortened ? 5 * millis : millis;
    }

    /** A directory for the scenario's own files. */
    public Path directory() {
        return workspace.directory();
    }

    /** A launch of the service with an embedded database of its own. In short it lives for seconds: the quick compiler must do. */
    public synchronized Launch service() throws IOException {
        Launch launch = Launch.in(directory().resolve("service-" + ++launches)).with("SESSION_SECRET", SECRET);
        return shortened ? launch.jvm("-XX:TieredStopAtLevel=1") : launch;
    }

    /** Launches of instances that are one service: on one database, with one secret and one origin, the first one's. */
    public List<Launch> services(int count, String databaseUrl) throws IOException {
        List<Launch> launches = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            launches.add(service().with("DATABASE_URL", databaseUrl));
            launches.get(i)
                    .with("RP_ORIGIN", "http://localhost:" + launches.get(0).port());
        }
        return launches;
    }

    /** Starts an instance, waits until it is ready, and stops it when the scenario ends. */
    public Instance start(Launch launch) throws IOException, InterruptedException {
        return stopAtEnd(launch.start());
    }

    /** Starts instances one after another; the same as {@link #start(Launch)} for each. */
    public List<Instance> start(List<Launch> launches) throws IOException, InterruptedException {
        List<Instance> instances = new ArrayList<>();
        for (Launch launch : launches) {
            instances.add(start(launch));
        }
        return instances;
    }

    /** Registers users, warms up the service, and lets the users sign in at a rate until the scenario ends. */
    public OpenLoop signIns(Instance service, int workers, double perSecond, Duration warmUp)
            throws IOException, InterruptedException {
        People people = People.register(service.address(), "user-", workers);
        var logins = people.logins(service.address(), workers, Duration.ofSeconds(10));
        new ClosedLoop(workers, logins).runFor(warmUp);
        return stopAtEnd(new OpenLoop(perSecond, workers, logins));
    }

    /** Tasks without pause; in short at a rate, because the tests of other modules need the cores too. */
    public Loop withoutPause(int workers, double perSecondInShort, IntFunction<Task> tasks) {
        return shortened ? new OpenLoop(perSecondInShort, workers, tasks) : new ClosedLoop(workers, tasks);
    }

    /** A PostgreSQL server that can be broken. */
    public Cluster postgres() throws IOException, PostgresMissingException {
        return stopAtEnd(Cluster.create());
    }

    /** Closes a thing when the scenario ends, the newest first. */
    public <T extends AutoCloseable> T stopAtEnd(T thing) {
        return workspace.stopAtEnd(thing);
    }

    /** Leaves the directory where it is when the scenario ends, for an inspection. */
    Path keep() {
        return workspace.keep();
    }

    /** Whether something in the logs should not be there. */
    boolean leaked() throws IOException {
        try (Stream<Path> files = Files.walk(directory())) {
            for (Path log : files.filter(it -> it.toString().endsWith(".log")).toList()) {
                if (Files.readString(log).contains(SECRET)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public void close() throws IOException {
        workspace.close();
    }
}
