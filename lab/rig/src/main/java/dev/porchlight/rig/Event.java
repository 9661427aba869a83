// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig;

import java.io.IOException;
import java.time.Duration;

/** A condition to wait for. */
@FunctionalInterface
public interface Event {
    boolean happened() throws IOException;

    /** Combines two events: both must happen. */
    default Event and(Event other) {
        return () -> happened() && other.happened();
    }

    /** Waits for the event up to a limit, and returns whether it happened. */
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
