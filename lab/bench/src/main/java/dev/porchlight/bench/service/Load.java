// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.load.ClosedLoop;
import dev.porchlight.rig.load.OpenLoop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import dev.porchlight.rig.load.Task;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** People who log in to a running application over many connections. For one thread. */
final class Load {
    static final int CONNECTIONS = 64;

    /** How long a measurement takes. */
    static final Duration SLICE = Duration.ofSeconds(Integer.getInteger("porchlight.bench.seconds", 3));

    /** After so many logins a JVM has compiled an application as far as it will. */
    static final int WARM_LOGINS = 50_000;

    /** Slow applications are not warmed for longer than so many measurements. */
    private static final int WARM_SLICES = 30;

    private static final int PEOPLE = 8 * CONNECTIONS;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Running application;
    private final People people;

    /** Registers the people. */
    Load(Running application) throws IOException, InterruptedException {
        this.application = application;
        people = application.register(PEOPLE);
    }

    Running application() {
        return application;
    }

    /**
     * As many logins as it can do in a time.
     *
     * @param logins how many there were, whatever their result
     * @param cpuMicros what a login took of the cores in the application's processes
     * @param ownMicros what it took of them in this process, which is the load
     */
    record Throughput(double perSecond, double logins, double cpuMicros, double ownMicros, int errors) {}

    Throughput closed(Duration length) throws InterruptedException {
        Duration theirs = application.cpu();
        Duration ours = own();
        Outcome outcome = new ClosedLoop(CONNECTIONS, logins()).runFor(length);
        double logins = Math.max(1, outcome.count());
        return new Throughput(
                outcome.okPerSecond(),
                logins,
                application.cpu().minus(theirs).toNanos() / 1e3 / logins,
                own().minus(ours).toNanos() / 1e3 / logins,
                errors(outcome));
    }

    /** Logs people in until the application is as fast as it gets. */
    void warmUp() throws InterruptedException {
        double logins = 0;
        for (int slice = 0; slice < WARM_SLICES && logins < WARM_LOGINS; slice++) {
            logins += closed(SLICE).logins();
        }
    }

    /** Logins at a rate, whatever becomes of those before. */
    Outcome open(double perSecond, Duration length) throws InterruptedException {
        return new OpenLoop(perSecond, CONNECTIONS, logins()).runFor(length);
    }

    /** So many logins, or a few more, as fast as it does them; returns how many failed. */
    int closed(int count) throws InterruptedException {
        AtomicInteger done = new AtomicInteger();
        IntFunction<Task> logins = logins();
        ClosedLoop loop = new ClosedLoop(CONNECTIONS, worker -> counting(logins.apply(worker), done));
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

    /** CPU time of this process, which is the load, so far. */
    static Duration own() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
