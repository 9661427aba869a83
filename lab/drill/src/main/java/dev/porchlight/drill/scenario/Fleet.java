// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Running instances of one service. Thread-safe.
 *
 * @param store the name of their storage
 * @param launches in the order of the instances
 * @param shared whether other rows use them, too
 */
public record Fleet(String store, List<Launch> launches, List<Instance> instances, boolean shared)
        implements AutoCloseable {
    /** The first or only instance. */
    public Instance first() {
        return instances.get(0);
    }

    /** Opens connections to the instances in turn, which are closed with the test bed. */
    public List<Connection> connect(TestBed bed, int count, Duration timeout) {
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            connections.add(bed.stopAtEnd(instances.get(i % instances.size()).connect(timeout)));
        }
        return connections;
    }

    /** Stops the instances, unless other rows use them. */
    @Override
    public void close() {
        if (!shared) {
            instances.forEach(Instance::close);
        }
    }
}
