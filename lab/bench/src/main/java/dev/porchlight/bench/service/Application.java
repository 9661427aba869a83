// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import java.io.IOException;
import java.nio.file.Path;

/** A service that people log in to with passkeys: ours, or a peer's. Immutable. */
interface Application {
    /** Its name in the tables. */
    String label();

    /**
     * Starts it and does not wait until it answers. It makes its tables if it was not started in this directory before.
     *
     * @param directory of its data and its log
     */
    Running launch(Path directory, Storage.Address storage) throws IOException, InterruptedException;
}
