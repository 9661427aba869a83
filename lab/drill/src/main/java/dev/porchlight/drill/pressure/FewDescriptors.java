// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.pressure;

import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.server.MissingProgramException;
import dev.porchlight.testkit.server.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** R22: more connections than the process may have file descriptors. */
public final class FewDescriptors {
    private static final int LIMIT = 128;

    public void run(TestBed bed) throws Exception {
        Instance service = bed.services().killed().running();
        String before = limit(service, "--raw", "--noheadings", "--output=SOFT", "--nofile");
        limit(service, "--nofile=" + LIMIT + ":");
        try {
            crowd(bed, service);
        } finally {
            limit(service, "--nofile=" + before.strip() + ":");
        }
    }

    private static void crowd(TestBed bed, Instance service) throws IOException, InterruptedException {
        try (Connection connection = service.connect()) {
            Person ada = Users.register(connection, service.address(), "few-descriptors");
            long lines = service.log().lines().count();
            int seconds = bed.rounds(15, 4);
            long begin = System.nanoTime();
            List<Socket> sockets = connect(service.port(), 400);
            Thread.sleep(seconds * 1_000L);
            long logged = service.log().lines().count() - lines;
            long held = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin) + 1;
            long most = service.descriptors();
            for (Socket socket : sockets) {
                socket.close();
            }
            bed.note("%d connections held for %d s, %d descriptors", sockets.size(), seconds, most);
            bed.expect(service.process().isAlive(), "alive");
            bed.expect(logged <= 2 * held + 2, "%d lines logged", logged);
            begin = System.nanoTime();
            service.awaitReady(bed.limit(Duration.ofSeconds(10)));
            try (Connection fresh = service.connect()) {
                boolean passed = ada.at(fresh).tryLogin().ok();
                bed.expect(passed, "a login succeeded after %.1f s", (System.nanoTime() - begin) / 1e9);
            }
        }
    }

    /** Reads or sets the limit of the running process. */
    private static String limit(Instance service, String... options)
            throws IOException, InterruptedException, MissingProgramException {
        List<String> command = new ArrayList<>(List.of(Program.require("prlimit")));
        command.add("--pid=" + service.process().pid());
        command.addAll(List.of(options));
        return Program.run(command.toArray(String[]::new));
    }

    private static List<Socket> connect(int port, int count) throws IOException {
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sockets.add(new Socket(InetAddress.getLoopbackAddress(), port));
        }
        return sockets;
    }
}
