// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.wiring;

import java.io.IOException;

/** A part of a running process with a lifecycle; see {@link Parts}. */
@FunctionalInterface
public interface Part extends AutoCloseable {
    /** Starts the part. Everything is wired, and all earlier parts have started. */
    default void start() throws IOException {}

    /** Closes the part, whether it was started or not. Later parts are already closed. */
    @Override
    void close();
}
