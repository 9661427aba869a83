// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.RawResponses;
import java.io.IOException;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Unfinished bodies that hold memory, and requests that must be refused before their body arrives. */
final class Bodies extends Attack {
    /** Accepts a body from anyone and does not count as a ceremony, so other groups are not slowed down. */
    private static final String REPORT = "/auth/passkey/report";

    private static final int COUNT = 520;
    private static final int LENGTH = 65_000;
    private static final int SMALL = 60;
    /** How many of the oldest connections the service must have closed. */
    private static final int WANTED = 50;

    private static final long LATE_MS = 50;
    private static final int TRIES = 10;
    /** Longer than a busy service needs to refuse a request. One that waits for the body responds with 408, or never. */
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);

    @Override
    void attempt() {
        Map<String, String> refused = new LinkedHashMap<>();
        String json = "Content-Type: application/json\r\n";
        refused.put("a path that does not exist", head("POST /no-such-path", json, 100));
        refused.put("a method that is not allowed", head("POST " + Person.SESSION, json, 100));
        refused.put(
                "a media type that is not accepted",
                head("POST " + Person.LOGIN_FINISH, "Content-Type: text/plain\r\n", 100));
        refused.put("a user without credentials", head("POST " + Person.REGISTER_FINISH, json, 100));
        // all at once: each is read until the same deadline
        long until = System.nanoTime() + TIMEOUT_NANOS;
        Map<String, Socket> sent = new LinkedHashMap<>();
        refused.forEach((what, request) -> sent.put(what, send(request)));
        sent.forEach((what, socket) -> {
            int status = receive(socket, until);
            boolean early = status >= 400 && status < 500 && status != 408;
            check("memory for the body of " + what, early, "the service waits for the body");
        });
        hold(head("POST " + REPORT, json, LENGTH));
    }

    private void hold(String head) {
        try (OpenConnections bodies = new OpenConnections()) {
            bodies.open(target, COUNT, head + "a".repeat(LENGTH - 1));
            bodies.open(target, SMALL, head + "a"); // for the remaining memory
            boolean closed = bodies.closed(WANTED);
            check((COUNT + SMALL) + " unfinished bodies from one address", closed, "most are held");
            String small = head("POST " + REPORT, "Content-Type: application/json\r\n", 2);
            expectServed("a request of another client whose body arrives shortly after its headers", patient(small));
        }
    }

    /** The status of a request that is repeated while the service is too busy, as a client would do. */
    private int patient(String head) {
        int status = late(head);
        for (int i = 1; status == 503 && i < TRIES; i++) {
            Target.sleep(TimeUnit.SECONDS.toNanos(1));
            status = late(head);
        }
        return status;
    }

    /** The status of a request whose body arrives shortly after its headers, as on a slow network. */
    private int late(String head) {
        Socket socket = send(head);
        try {
            Target.sleep(TimeUnit.MILLISECONDS.toNanos(LATE_MS));
            RawResponses.send(socket, "{}");
        } catch (IOException closed) {
            // the service may have responded already
        }
        return receive(socket, System.nanoTime() + TIMEOUT_NANOS);
    }

    private Socket send(String octets) {
        try {
            Socket socket = target.connect();
            RawResponses.send(socket, octets);
            return socket;
        } catch (IOException e) {
            throw new AttackException("no connection to " + target + ": " + e.getMessage());
        }
    }

    /** The response's status, or 0 if none arrives before the deadline. */
    private static int receive(Socket socket, long untilNanos) {
        try (socket) {
            long left = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
            socket.setSoTimeout((int) Math.max(1, left));
            return RawResponses.read(socket).last().status();
        } catch (IOException e) {
            return 0;
        }
    }

    private String head(String request, String type, int length) {
        return request + " HTTP/1.1\r\nHost: " + target.authority() + "\r\nConnection: close\r\n" + type
                + "Content-Length: " + length + "\r\n\r\n";
    }
}
