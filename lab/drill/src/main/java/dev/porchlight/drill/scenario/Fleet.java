// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Running instances of one service. Thread-safe. */
public final class Fleet implements AutoCloseable {
    private final String store;
    private final List<Launch> launches;
    private final List<Instance> instances;
    private final TestBed bed;
    private final boolean shared;

    /**
     * A fleet of running instances.
     *
     * @param store the name of their storage
     * @param launches in the order of the instances
     * @param bed the test bed that they stop with
     * @param shared whether other rows use them, too
     */
    Fleet(String store, List<Launch> launches, List<Instance> instances, TestBed bed, boolean shared) {
        this.store = store;
        this.launches = launches;
        this.instances = new CopyOnWriteArrayList<>(instances);
        this.bed = bed;
        this.shared = shared;
    }

    /** The name of the storage. */
    public String store() {
        return store;
    }

    /** The launches, in the order of the instances. */
    public List<Launch> launches() {
        return launches;
    }

    /** The instances, including those that replace others from now on. */
    public List<Instance> instances() {
        return Collections.unmodifiableList(instances);
    }

    /** The first or only instance. */
    public Instance first() {
        return instances.get(0);
    }

    /** Starts an instance again, which the row has stopped. */
    public Instance restart(int index) throws IOException, InterruptedException {
        Instance again = bed.start(launches.get(index));
        instances.set(index, again);
        return again;
    }

    /** Opens connections to the instances in turn, which are closed with the test bed. */
    public List<Connection> connect(TestBed row, int count, Duration timeout) {
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            connections.add(row.stopAtEnd(instances.get(i % instances.size()).connect(timeout)));
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
