// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import java.io.IOException;

/** A service whose process a row may end, and start again on the same data. Not thread-safe. */
public final class Restartable {
    private final TestBed bed;
    private final Launch launch;
    private Instance instance;

    /** Starts the service, which stops with the test bed. */
    public Restartable(TestBed bed, Launch launch) throws IOException, InterruptedException {
        this.bed = bed;
        this.launch = launch;
        instance = bed.start(launch);
    }

    /** Returns the running process. Starts a new one if the last has ended. */
    public Instance running() throws IOException, InterruptedException {
        if (!instance.process().isAlive()) {
            instance = bed.start(launch);
        }
        return instance;
    }
}
