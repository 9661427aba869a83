// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Running instances of one service, which stop with the test bed that started them. Thread-safe. */
public final class Fleet implements AutoCloseable {
    private final Store store;
    private final List<Launch> launches;
    private final List<Instance> instances;
    private final TestBed bed;

    /** The storage of a fleet. */
    public enum Store {
        /** One instance with an embedded database. */
        SQLITE("SQLite"),
        /** Two instances. */
        POSTGRESQL("PostgreSQL");

        private final String text;

        Store(String text) {
            this.text = text;
        }
    }

    Fleet(Store store, List<Launch> launches, List<Instance> instances, TestBed bed) {
        this.store = store;
        this.launches = launches;
        this.instances = new CopyOnWriteArrayList<>(instances);
        this.bed = bed;
    }

    /** The name of the storage. */
    public String store() {
        return store.text;
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
    public List<Connection> connect(TestBed row, int count) {
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            connections.add(row.stopAtEnd(instances.get(i % instances.size()).connect()));
        }
        return connections;
    }

    /** Stops the instances, unless other rows use them. */
    @Override
    public void close() {
        if (!bed.isShared()) {
            instances.forEach(Instance::close);
        }
    }
}
