// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.stream.Stream;

/** A directory for the data of what is started, and what was started: closing it ends and removes all. Not thread-safe. */
final class Ground implements AutoCloseable {
    private final Path home;
    private final Deque<Running> started = new ArrayDeque<>();

    Ground() throws IOException {
        home = Files.createTempDirectory("porchlight-bench");
    }

    /** A new directory. */
    Path directory() throws IOException {
        return Files.createTempDirectory(home, "application");
    }

    /** Starts an application on an empty database and waits until it answers. */
    Running start(Application application, Storage storage) throws IOException, InterruptedException {
        Path directory = directory();
        return start(application, directory, storage.fresh(directory));
    }

    /** Starts an application on a database that others may use too, and waits until it answers. */
    Running start(Application application, Storage.Address database) throws IOException, InterruptedException {
        return start(application, directory(), database);
    }

    private Running start(Application application, Path directory, Storage.Address database)
            throws IOException, InterruptedException {
        Running running = application.launch(directory, database);
        started.push(running);
        return running.awaitReady();
    }

    @Override
    public void close() throws IOException {
        started.forEach(Running::close);
        try (Stream<Path> all = Files.walk(home)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(one);
            }
        }
    }
}
