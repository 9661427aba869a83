// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.CpuTime;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.load.People;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * A running application and its registration and login routes. Thread-safe.
 *
 * @param label the application's label
 */
record Running(String label, Instance instance, Routes routes) implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final int LOOK_AGAIN_MILLIS = 2;

    /** An application with the routes of our service. */
    static Running withOurRoutes(String label, Instance instance) {
        return new Running(label, instance, new Routes.OurRoutes(instance.address()));
    }

    Running awaitReady() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!instance.ready()) {
            if (!instance.process().isAlive() || System.nanoTime() > deadline) {
                close();
                throw new IOException(label + " did not start:\n" + instance.log());
            }
            Thread.sleep(LOOK_AGAIN_MILLIS);
        }
        return this;
    }

    People register(int count) throws IOException, InterruptedException {
        return People.register(instance.address(), "user-", count, routes::register);
    }

    /** CPU time of all its processes so far. */
    Duration cpu() {
        return CpuTime.of(processes());
    }

    /** Resident memory of all its processes. Shared memory is counted for each. */
    double residentMegabytes() throws IOException {
        long kilobytes = 0;
        for (ProcessHandle process : processes().toList()) {
            kilobytes += Instance.residentKb(process);
        }
        return kilobytes * 1024 / 1e6;
    }

    private Stream<ProcessHandle> processes() {
        ProcessHandle first = instance.process().toHandle();
        return Stream.concat(Stream.of(first), first.descendants());
    }

    @Override
    public void close() {
        instance.close();
    }
}
