// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import dev.porchlight.drill.scenario.Scenario.ScenarioResult;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.Workspace;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.Task;
import dev.porchlight.server.operator.cli.Cli;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.server.MissingProgramException;
import dev.porchlight.testkit.server.PostgresServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * The environment of a scenario: a directory and processes, which are stopped when it ends. Thread-safe.
 *
 * <p>All instances share one secret. After the scenario no log may contain it (promise P10).
 */
public final class TestBed implements AutoCloseable {
    private static final String SECRET = "drill-secret-6b1f0c5d9e8a7742-never-to-be-printed";

    private final Workspace workspace = new Workspace("porchlight-drill");
    private final boolean shortened;
    private final Services services;
    private final List<String> findings = new ArrayList<>();
    private boolean failed;

    private int launches;

    /** A test bed in full mode, or one in short mode that several rows share. */
    TestBed(boolean shortened) throws IOException {
        this.shortened = shortened;
        services = new Services(this);
    }

    /** A test bed in short mode, with the services of another one. */
    TestBed(TestBed shared) throws IOException {
        shortened = true;
        services = shared.services;
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

    /** A limit in milliseconds, as below. */
    public long limit(long millis) {
        return limit(Duration.ofMillis(millis)).toMillis();
    }

    /** A limit. In short mode it only ends a test that hangs, because tests share the machine with other work. */
    public Duration limit(Duration inFull) {
        return shortened ? Patience.LIMIT : inFull;
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

    /** The services of this test bed; in short mode, rows share them. */
    public Services services() {
        return services;
    }

    /** Whether several rows use the services of this test bed. */
    boolean isShared() {
        return shortened;
    }

    /** Records a measurement. */
    public synchronized void note(String format, Object... arguments) {
        findings.add(String.format(Locale.ROOT, format, arguments));
    }

    /** Records a measurement, and fails the row if the condition does not hold. */
    public synchronized void expect(boolean holds, String format, Object... arguments) {
        String text = String.format(Locale.ROOT, format, arguments);
        findings.add(holds ? text : "**" + text + "**");
        failed |= !holds;
    }

    /** The measurements so far, in order. */
    synchronized ScenarioResult result() {
        return new ScenarioResult(
                failed ? ScenarioResult.Kind.FAILED : ScenarioResult.Kind.PASSED, String.join("; ", findings));
    }

    /** Registers users with this prefix, warms up the service, and signs the users in at a rate until the scenario ends. */
    public Loop signIns(String prefix, Instance service, int workers, double perSecond, Duration warmUp)
            throws IOException, InterruptedException {
        People people = People.register(service.address(), prefix, workers);
        var logins = people.logins(service.address(), workers, Patience.LIMIT);
        Loop.closed(workers, logins).runFor(warmUp);
        return stopAtEnd(Loop.open(perSecond, workers, logins));
    }

    /** Runs tasks without pause, or at a rate in short mode, because tests of other modules need the cores too. */
    public Loop withoutPause(int workers, double perSecondInShort, IntFunction<Task> tasks) {
        return shortened ? Loop.open(perSecondInShort, workers, tasks) : Loop.closed(workers, tasks);
    }

    /** Starts a PostgreSQL server that can be broken. */
    public PostgresServer postgres() throws IOException, MissingProgramException {
        return stopAtEnd(PostgresServer.startDurable());
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
