// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

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
import dev.porchlight.server.operator.cli.Cli;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.postgres.PostgresMissingException;
import dev.porchlight.testkit.redis.RedisMissingException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * The environment of a scenario: a directory and processes, which are stopped when it ends. Thread-safe.
 *
 * <p>All instances share one secret. After the scenario no log may contain it (promise P10).
 */
public final class TestBed implements AutoCloseable {
    private static final String SECRET = "drill-secret-6b1f0c5d9e8a7742-never-to-be-printed";
    /** How many times slower everything may be in short mode. */
    private static final int SLOW_MACHINE = 10;

    private final Workspace workspace = new Workspace("porchlight-drill");
    private final boolean shortened;
    private final Fleets fleets;
    private final Setups setups;

    private int launches;

    /** Starts services and their dependencies on a test bed, with which they stop. */
    @FunctionalInterface
    public interface Setup<T> {
        T start(TestBed bed) throws Exception;
    }

    /** A test bed in full mode, or one in short mode that several rows share. */
    TestBed(boolean shortened) throws IOException {
        this.shortened = shortened;
        fleets = new Fleets(this, shortened);
        setups = new Setups(this);
    }

    /** A test bed in short mode, with the fleets and setups of another one. */
    TestBed(TestBed shared) throws IOException {
        shortened = true;
        fleets = shared.fleets;
        setups = shared.setups;
    }

    /** The number of rounds: as in the table, or fewer in short mode. */
    public int rounds(int inFull, int inShort) {
        return shortened ? inShort : inFull;
    }

    /** Waits: in full mode for the whole duration, in short mode only until the event, however slow the machine is. */
    public void pass(Duration inFull, Event enough) throws IOException, InterruptedException {
        if (shortened) {
            enough.await(limit(inFull));
        } else {
            Thread.sleep(inFull.toMillis());
        }
    }

    /** A limit in milliseconds, generous in short mode: tests share the machine with other work. */
    public long limit(long millis) {
        return shortened ? SLOW_MACHINE * millis : millis;
    }

    /** A limit, generous in short mode. */
    public Duration limit(Duration inFull) {
        return Duration.ofMillis(limit(inFull.toMillis()));
    }

    /** Whether the instance is ready. In short mode it may take a moment, because on a busy machine a check may time out. */
    public boolean isReady(Instance instance) throws IOException, InterruptedException {
        return shortened ? ((Event) instance::ready).await(Patience.LIMIT) : instance.ready();
    }

    /** The scenario's directory. */
    public Path directory() {
        return workspace.directory();
    }

    /**
     * A launch of the service with an embedded database. In short mode only the quick compiler is used, and requests may wait long
     * for the database, because tests share the machine with other work.
     */
    public Launch service() throws IOException {
        Launch launch = serviceWithDeadline();
        return shortened ? launch.patient() : launch;
    }

    /** Like {@link #service()}, but requests have the default deadline in short mode, too: for rows on outages and overload. */
    public synchronized Launch serviceWithDeadline() throws IOException {
        Launch launch = Launch.in(directory().resolve("service-" + ++launches)).with("SESSION_SECRET", SECRET);
        return shortened ? launch.jvm("-XX:TieredStopAtLevel=1") : launch;
    }

    /** Launches of instances of one service: same database, same secret, and the origin of the first instance. */
    public List<Launch> services(int count, String databaseUrl) throws IOException {
        List<Launch> launches = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            launches.add(service().with("DATABASE_URL", databaseUrl));
            launches.get(i)
                    .with("RP_ORIGIN", "http://localhost:" + launches.get(0).port());
        }
        return launches;
    }

    /** Starts an instance, waits until it is ready, and registers it to be stopped. */
    public Instance start(Launch launch) throws IOException, InterruptedException {
        return stopAtEnd(launch.start());
    }

    /** Starts instances one after another, like {@link #start(Launch)}. */
    public List<Instance> start(List<Launch> launches) throws IOException, InterruptedException {
        List<Instance> instances = new ArrayList<>();
        for (Launch launch : launches) {
            instances.add(start(launch));
        }
        return instances;
    }

    /**
     * Runs a command of the service with the settings of a launch.
     *
     * @throws IOException if the exit status is not 0
     */
    public void call(Launch launch, String... words) throws IOException, InterruptedException {
        int status = status(launch, words);
        if (status != 0) {
            throw new IOException(words[0] + " exited with " + status + ":\n" + Files.readString(launch.log()));
        }
    }

    /** The exit status of a command of the service. In short mode it runs in this process, since a JVM takes seconds of CPU time. */
    public int status(Launch launch, String... words) throws IOException, InterruptedException {
        if (!shortened) {
            return launch.call(words);
        }
        try (PrintWriter log = new PrintWriter(Files.newBufferedWriter(launch.log(), CREATE, APPEND))) {
            return new Cli(launch.variables(), unused -> {}, log, log).run(words);
        }
    }

    /**
     * Instances on this storage. In short mode, rows share them: a row breaks neither them nor the storage. In tests, those that
     * use PostgreSQL run after all rows that use {@link #backends()}.
     */
    public Fleet fleet(Store store) throws IOException, InterruptedException, PostgresMissingException {
        return fleets.get(store);
    }

    /** A service on PostgreSQL and Redis that rows break and repair. In short mode they share it and run one after another. */
    public Backends backends()
            throws IOException, InterruptedException, PostgresMissingException, RedisMissingException {
        return fleets.backends();
    }

    /**
     * Services that a row may break and repairs. In short mode, rows share them, so these rows run one after another and each
     * has its own users.
     */
    public <T> T inTurn(Class<T> type, Setup<T> setup) throws Exception {
        return setups.get(type, setup);
    }

    /** Registers users with this prefix, warms up the service, and signs the users in at a rate until the scenario ends. */
    public OpenLoop signIns(String prefix, Instance service, int workers, double perSecond, Duration warmUp)
            throws IOException, InterruptedException {
        People people = People.register(service.address(), prefix, workers);
        var logins = people.logins(service.address(), workers, Patience.LIMIT);
        new ClosedLoop(workers, logins).runFor(warmUp);
        return stopAtEnd(new OpenLoop(perSecond, workers, logins));
    }

    /** Runs tasks without pause, or at a rate in short mode, because tests of other modules need the cores too. */
    public Loop withoutPause(int workers, double perSecondInShort, IntFunction<Task> tasks) {
        return shortened ? new OpenLoop(perSecondInShort, workers, tasks) : new ClosedLoop(workers, tasks);
    }

    /** Starts a PostgreSQL server that can be broken. */
    public Cluster postgres() throws IOException, PostgresMissingException {
        return stopAtEnd(Cluster.create());
    }

    /** Registers a resource to close when the scenario ends, in reverse order. */
    public <T extends AutoCloseable> T stopAtEnd(T thing) {
        return workspace.stopAtEnd(thing);
    }

    /** Keeps the directory after the scenario, for inspection. */
    Path keep() {
        return workspace.keep();
    }

    /** Whether a log contains the secret. */
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
