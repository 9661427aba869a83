// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Event;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.RegistrationLoad;
import dev.porchlight.rig.load.Users;
import dev.porchlight.rig.load.Users.RefusedException;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.server.MissingProgramException;
import dev.porchlight.testkit.server.Program;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** R3: the file system of the embedded database is full. */
public final class DiskFull {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int TRIES = 10;

    public void run(TestBed bed) throws IOException, InterruptedException, MissingProgramException {
        Launch launch = bed.service();
        Path data = Files.createDirectories(launch.data());
        mayMount(data);
        launch.behind(
                "unshare",
                "-m",
                "sh",
                "-c",
                "mount -t tmpfs -o size=20m,mode=700 tmpfs " + data + " && exec \"$@\"",
                "sh");
        Instance service = bed.start(launch);
        // the file system is private to the instance; we reach it through /proc
        Path filler = Path.of("/proc/" + service.process().pid() + "/root" + data + "/filler");
        List<Person> acknowledged = new ArrayList<>();
        try (Connection connection = service.connect()) {
            Person ada = Users.register(connection, service.address(), "ada");
            acknowledged.add(ada);
            String token = ada.tryLogin().field("token");
            fill(filler);
            List<TestResponse> refusals = new ArrayList<>();
            for (int i = 0; i < TRIES; i++) {
                try {
                    acknowledged.add(Users.register(connection, service.address(), "full-" + i));
                } catch (RefusedException e) {
                    refusals.add(e.response());
                }
                TestResponse login = ada.tryLogin();
                if (!login.ok()) {
                    refusals.add(login);
                }
            }
            long clean = refusals.stream().filter(it -> it.status() == 503).count();
            bed.expect(
                    clean == refusals.size() && !refusals.isEmpty(),
                    "while full: %d acknowledged before nothing more fits, then %d times 503 %s",
                    acknowledged.size() - 1,
                    clean,
                    refusals.isEmpty() ? "" : refusals.get(refusals.size() - 1).field("code"));
            TestResponse session = connection.get("/auth/session", "Authorization", "Bearer " + token);
            bed.expect(session.status() == 200, "a token gets %d", session.status());
            int live = connection.get("/health/live").status();
            Event unready = () -> connection.get("/health/ready").status() == 503;
            boolean wentDown = unready.await(bed.limit(TIMEOUT)); // readiness is checked periodically, not per request
            int ready = connection.get("/health/ready").status();
            bed.expect(wentDown && live == 200 && ready == 503, "live %d, ready %d", live, ready);
            Files.delete(filler);
            long freed = System.nanoTime();
            Event healthy = () -> ada.tryLogin().ok();
            boolean recovered = healthy.await(bed.limit(TIMEOUT));
            double healed = (System.nanoTime() - freed) / 1e9;
            bed.expect(
                    recovered && healed * 1e3 <= bed.limit(10_000), "recovered %.1f s after space was freed", healed);
            int missing = RegistrationLoad.missing(connection, acknowledged);
            bed.expect(missing == 0, "%d of %d acknowledged passkeys missing", missing, acknowledged.size());
        }
    }

    private static void mayMount(Path data) throws IOException, InterruptedException, MissingProgramException {
        Program.require("unshare");
        try {
            Program.run("unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", data.toString());
        } catch (IOException e) {
            throw new MissingProgramException("mounting a file system needs root: " + e.getMessage());
        }
    }

    private static void fill(Path filler) throws IOException {
        try (OutputStream out = Files.newOutputStream(filler)) {
            byte[] block = new byte[4096];
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            if (!String.valueOf(full.getMessage()).contains("No space left")) {
                throw full;
            }
        }
    }
}
