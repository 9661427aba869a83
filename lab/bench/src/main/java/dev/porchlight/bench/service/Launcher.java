// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Starts applications, each in its own directory. Closing it stops them and removes their data. Not thread-safe. */
final class Launcher implements AutoCloseable {
    private final Workspace workspace = new Workspace("porchlight-bench");

    Launcher() throws IOException {}

    /** A new directory. */
    Path directory() throws IOException {
        return Files.createTempDirectory(workspace.directory(), "application");
    }

    /** Starts an application on an empty database and waits until it is ready. */
    Running start(Application application, Storage storage) throws IOException, InterruptedException {
        Path directory = directory();
        return start(application, directory, storage.fresh(directory));
    }

    /** Starts an application on a shared database and waits until it is ready. */
    Running start(Application application, Storage.Address database) throws IOException, InterruptedException {
        return start(application, directory(), database);
    }

    private Running start(Application application, Path directory, Storage.Address database)
            throws IOException, InterruptedException {
        return workspace.stopAtEnd(application.launch(directory, database)).awaitReady();
    }

    @Override
    public void close() throws IOException {
        workspace.close();
    }
}
