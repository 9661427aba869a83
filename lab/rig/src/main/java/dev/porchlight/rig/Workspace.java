// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * A temporary directory with the processes and connections that use it. Closing it, or the end of this process, stops them in
 * reverse order and removes the directory. Thread-safe.
 */
public final class Workspace implements AutoCloseable {
    private final Path directory;
    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final Thread atExit = new Thread(this::abandon);
    private boolean kept;

    public Workspace(String name) throws IOException {
        directory = Files.createTempDirectory(name);
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    public Path directory() {
        return directory;
    }

    /** Registers a resource to close with the workspace. */
    public synchronized <T extends AutoCloseable> T stopAtEnd(T thing) {
        started.push(thing);
        return thing;
    }

    /** Keeps the directory after closing, for inspection. */
    public synchronized Path keep() {
        kept = true;
        return directory;
    }

    @Override
    public void close() throws IOException {
        Runtime.getRuntime().removeShutdownHook(atExit);
        List<Exception> failures = stopAll();
        if (!kept) {
            remove();
        }
        if (!failures.isEmpty()) {
            throw new IOException("a resource could not be closed", failures.get(0));
        }
    }

    private void abandon() {
        stopAll();
        try {
            remove();
        } catch (IOException e) {
            // the process is ending, and there is no caller to report to
        }
    }

    private void remove() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
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
