// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import java.io.IOException;
import java.nio.file.Path;

/** A service with passkey logins: ours, or a peer. Immutable. */
interface Application {
    /** The label in the tables. */
    String label();

    /**
     * Starts the application without waiting for readiness. Creates its tables on the first start in this directory.
     *
     * @param directory the directory for data and log
     */
    Running launch(Path directory, Storage.Address storage) throws IOException, InterruptedException;
}
