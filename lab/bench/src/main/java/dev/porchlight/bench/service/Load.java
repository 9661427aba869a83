// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.Task;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Users who log in to a running application over many connections. Not thread-safe. */
final class Load {
    static final int CONNECTIONS = 64;

    /** The duration of a measurement. */
    static final Duration SLICE = Duration.ofSeconds(Integer.getInteger("porchlight.bench.seconds", 3));

    /** The number of logins after which a JVM has finished compiling. */
    static final int WARM_LOGINS = 50_000;

    /** Warming up a slow application ends after this many measurements. */
    private static final int WARM_SLICES = 30;

    private static final int PEOPLE = 8 * CONNECTIONS;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Running application;
    private final People people;

    /** Registers the users. */
    Load(Running application) throws IOException, InterruptedException {
        this.application = application;
        people = application.register(PEOPLE);
    }

    Running application() {
        return application;
    }

    /**
     * The result of logins at full speed.
     *
     * @param logins the number of logins, whatever their result
     * @param cpuMicros CPU time per login in the application's processes
     * @param ownMicros CPU time per login in this process, the load generator
     */
    record Throughput(double perSecond, double logins, double cpuMicros, double ownMicros, int errors) {
        static Throughput of(Running application, Supplier<Loop> loop, Duration length) throws InterruptedException {
            Duration theirs = application.cpu();
            Duration ours = own();
            Outcome outcome = loop.get().runFor(length);
            double logins = Math.max(1, outcome.count());
            return new Throughput(
                    outcome.okPerSecond(),
                    logins,
                    application.cpu().minus(theirs).toNanos() / 1e3 / logins,
                    own().minus(ours).toNanos() / 1e3 / logins,
                    Load.errors(outcome));
        }
    }

    Throughput closed(Duration length) throws InterruptedException {
        return Throughput.of(application, () -> Loop.closed(CONNECTIONS, logins()), length);
    }

    /** Logs users in until the application reaches its full speed. */
    void warmUp() throws InterruptedException {
        double logins = 0;
        for (int slice = 0; slice < WARM_SLICES && logins < WARM_LOGINS; slice++) {
            logins += closed(SLICE).logins();
        }
    }

    /** Logs users in at a fixed rate, independent of earlier results. */
    Outcome open(double perSecond, Duration length) throws InterruptedException {
        return Loop.open(perSecond, CONNECTIONS, logins()).runFor(length);
    }

    /** Runs at least this many logins at full speed and returns the number of failures. */
    int closed(int count) throws InterruptedException {
        AtomicInteger done = new AtomicInteger();
        IntFunction<Task> logins = logins();
        Loop loop = Loop.closed(CONNECTIONS, worker -> counting(logins.apply(worker), done));
        while (done.get() < count && application.instance().process().isAlive()) {
            Thread.sleep(5);
        }
        return errors(loop.stop());
    }

    static int errors(Outcome outcome) {
        return outcome.count() - Math.toIntExact(outcome.ok());
    }

    private IntFunction<Task> logins() {
        return people.logins(application.instance().address(), CONNECTIONS, TIMEOUT, application.routes()::login);
    }

    private static Task counting(Task task, AtomicInteger done) {
        return new Task() {
            @Override
            public int run() throws IOException {
                try {
                    return task.run();
                } finally {
                    done.incrementAndGet();
                }
            }

            @Override
            public void close() {
                task.close();
            }
        };
    }

    /** CPU time of this process, the load generator, so far. */
    static Duration own() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
