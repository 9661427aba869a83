// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill;

import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Outcome;
import dev.porchlight.rig.load.People;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Starts the service with a heap of 128 MB, logs in many times, and reports the resident memory of the process. Exits with 1
 * if that exceeded 200 MB at any time. Needs Linux, whose /proc it reads.
 */
public final class Memory {
    private static final int USERS = 8;
    private static final long GOAL_KB = 200_000;

    private Memory() {}

    /** Argument: the number of logins. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int logins = args.length > 0 ? Integer.parseInt(args[0]) : 50_000;
        Path directory = Files.createTempDirectory("porchlight-drill");
        System.out.println("service log and data: " + directory);
        boolean kept;
        try (Instance service = Launch.in(directory).jvm("-Xmx128m").start()) {
            kept = run(service, logins);
        }
        System.exit(kept ? 0 : 1);
    }

    private static boolean run(Instance service, int logins) throws IOException, InterruptedException {
        System.out.println("ready: " + service.residentKb() + " kB");
        People people = People.register(service.address(), "user-", USERS);
        long most = 0;
        long done = 0;
        long begin = System.nanoTime();
        while (done < logins) {
            Outcome outcome = Loop.closed(USERS, people.logins(service.address(), USERS, Duration.ofSeconds(30)))
                    .runFor(Duration.ofSeconds(1));
            if (outcome.ok() < outcome.count()) {
                throw new IOException("not every login succeeded: " + outcome);
            }
            done += outcome.ok();
            most = Math.max(most, service.residentKb());
            long seconds = (System.nanoTime() - begin) / 1_000_000_000;
            if (seconds % 10 == 0) {
                System.out.println(seconds + " s, " + done + " logins, " + service.residentKb() + " kB");
            }
        }
        System.out.println(done + " logins: at most " + most + " kB, " + service.residentKb()
                + " kB at the end; the goal is " + GOAL_KB);
        return most <= GOAL_KB;
    }
}
