// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import java.io.IOException;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Unfinished bodies that hold memory, and requests that must be refused before their body arrives. */
final class Bodies implements Attack {
    /** Accepts a body from anyone and does not count as a ceremony, so other groups are not slowed down. */
    private static final String REPORT = "/auth/passkey/report";

    private static final int COUNT = 520;
    private static final int LENGTH = 65_000;
    private static final int SMALL = 60;
    /** How many of the oldest connections the service must have closed. */
    private static final int WANTED = 50;

    private static final long LATE_MS = 50;
    /** Longer than a busy service needs to refuse a request. One that waits for the body responds with 408, or never. */
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);

    @Override
    public void run(Scene scene, Score score) {
        Map<String, String> refused = new LinkedHashMap<>();
        String json = "Content-Type: application/json\r\n";
        refused.put("a path that does not exist", head(scene, "POST /no-such-path", json, 100));
        refused.put("a method that is not allowed", head(scene, "POST " + Person.SESSION, json, 100));
        refused.put(
                "a media type that is not accepted",
                head(scene, "POST " + Person.LOGIN_FINISH, "Content-Type: text/plain\r\n", 100));
        refused.put("a user without credentials", head(scene, "POST " + Person.REGISTER_FINISH, json, 100));
        // all at once: each is read until the same deadline
        long until = System.nanoTime() + TIMEOUT_NANOS;
        Map<String, Socket> sent = new LinkedHashMap<>();
        refused.forEach((what, request) -> sent.put(what, send(scene, request)));
        sent.forEach((what, socket) -> {
            int status = receive(socket, until);
            boolean early = status >= 400 && status < 500 && status != 408;
            score.check("memory for the body of " + what, early, "the service waits for the body");
        });
        hold(scene, score, head(scene, "POST " + REPORT, json, LENGTH));
    }

    private static void hold(Scene scene, Score score, String head) {
        try (OpenConnections bodies = new OpenConnections()) {
            bodies.open(scene.target(), COUNT, head + "a".repeat(LENGTH - 1));
            bodies.open(scene.target(), SMALL, head + "a"); // for the remaining memory
            boolean closed = bodies.closed(WANTED);
            score.check((COUNT + SMALL) + " unfinished bodies from one address", closed, "most are held");
            String small = head(scene, "POST " + REPORT, "Content-Type: application/json\r\n", 2);
            int status = late(scene, small);
            score.check(
                    "a request of another client",
                    status > 0 && status < 500,
                    "a body that arrived shortly after its headers got status " + status);
        }
    }

    /** The status of a request whose body arrives shortly after its headers, as on a slow network. */
    private static int late(Scene scene, String head) {
        Socket socket = send(scene, head);
        try {
            Target.sleep(TimeUnit.MILLISECONDS.toNanos(LATE_MS));
            RawConnection.send(socket, "{}");
        } catch (IOException closed) {
            // the service may have responded already
        }
        return receive(socket, System.nanoTime() + TIMEOUT_NANOS);
    }

    private static Socket send(Scene scene, String octets) {
        try {
            Socket socket = scene.target().connect();
            RawConnection.send(socket, octets);
            return socket;
        } catch (IOException e) {
            throw new AttackException("no connection to " + scene.target() + ": " + e.getMessage());
        }
    }

    /** The response's status, or 0 if none arrives before the deadline. */
    private static int receive(Socket socket, long untilNanos) {
        try (socket) {
            long left = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
            socket.setSoTimeout((int) Math.max(1, left));
            return RawConnection.receive(socket).status();
        } catch (IOException e) {
            return 0;
        }
    }

    private static String head(Scene scene, String request, String type, int length) {
        return request + " HTTP/1.1\r\nHost: " + scene.target().authority() + "\r\nConnection: close\r\n" + type
                + "Content-Length: " + length + "\r\n\r\n";
    }
}
