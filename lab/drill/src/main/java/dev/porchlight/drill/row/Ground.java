// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.row;

import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.database.Cluster;
import dev.porchlight.testkit.postgres.PostgresMissingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a row stands on: a directory of its own, and whatever it starts, which is stopped when the row ends. Thread-safe.
 *
 * <p>All instances share one secret. After the row nothing they printed may hold it, which is promise P10.
 */
public final class Ground implements AutoCloseable {
    private static final String SECRET = "drill-secret-6b1f0c5d9e8a7742-never-to-be-printed";

    private final Path directory;
    private final boolean shortened;
    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final Thread atExit = new Thread(this::abandon);
    private int launches;
    private boolean kept;

    /** Ground on which long rows are shortened, or not. */
    public Ground(boolean shortened) throws IOException {
        this.shortened = shortened;
        directory = Files.createTempDirectory("porchlight-drill");
        Runtime.getRuntime().addShutdownHook(atExit);
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

    /** A directory for the row's own files. */
    public Path directory() {
        return directory;
    }

    /** A launch of the service with an embedded database of its own. In short it lives for seconds: the quick compiler must do. */
    public synchronized Launch service() throws IOException {
        Launch launch = Launch.in(directory.resolve("service-" + ++launches)).with("SESSION_SECRET", SECRET);
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

    /** Starts an instance, waits until it is ready, and stops it when the row ends. */
    public Instance start(Launch launch) throws IOException, InterruptedException {
        return stopAtEnd(launch.start());
    }

    /** A PostgreSQL server that can be broken. */
    public Cluster postgres() throws IOException, PostgresMissingException {
        return stopAtEnd(Cluster.create());
    }

    /** Closes a thing when the row ends, the newest first. */
    public synchronized <T extends AutoCloseable> T stopAtEnd(T thing) {
        started.push(thing);
        return thing;
    }

    /** Leaves the directory where it is when the row ends, for somebody to look into. */
    Path keep() {
        kept = true;
        return directory;
    }

    /** Whether something in the logs should not be there. */
    boolean leaked() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
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
        Runtime.getRuntime().removeShutdownHook(atExit);
        List<Exception> failures = stopAll();
        if (!kept) {
            remove(directory);
        }
        if (!failures.isEmpty()) {
            throw new IOException("something did not stop", failures.get(0));
        }
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private void abandon() {
        stopAll();
        try {
            remove(directory);
        } catch (IOException e) {
            // nobody is there to be told
        }
    }

    private synchronized List<Exception> stopAll() {
        List<Exception> failures = new ArrayList<>();
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                failures.add(e);
            }
        }
        return failures;
    }
}
