// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig;

import java.io.IOException;
import java.time.Duration;

/** Something to wait for. */
@FunctionalInterface
public interface Event {
    boolean happened() throws IOException;

    /** Both of them. */
    default Event and(Event other) {
        return () -> happened() && other.happened();
    }

    /** Waits for it, but no longer than this, and returns whether it happened. */
    default boolean await(Duration atMost) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        boolean happened = happened();
        while (!happened && System.nanoTime() < deadline) {
            Thread.sleep(20);
            happened = happened();
        }
        return happened;
    }
}
