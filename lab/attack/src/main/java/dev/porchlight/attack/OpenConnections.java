// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.RawResponses;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Connections with unfinished requests. Not thread-safe. */
final class OpenConnections implements AutoCloseable {
    private static final int OLDEST = 100;
    private static final int TRIES = 100;
    private static final long PAUSE_MS = 300;

    private final List<Socket> sockets = new ArrayList<>();

    /** Opens connections, as far as the service allows, and sends the beginning of a request on each. */
    void open(Target target, int count, String beginning) {
        for (int i = 0; i < count; i++) {
            try {
                Socket socket = target.connect();
                sockets.add(socket);
                RawResponses.send(socket, beginning);
            } catch (IOException closed) {
                // counts as closed
            }
        }
    }

    /** Whether the service closes or responds to this many of the oldest connections within half a minute. */
    boolean closed(int wanted) {
        for (int i = 0; i < TRIES; i++) {
            int closed = 0;
            for (Socket socket : sockets.subList(0, Math.min(OLDEST, sockets.size()))) {
                closed += isHeld(socket) ? 0 : 1;
            }
            if (closed >= wanted) {
                return true;
            }
            Target.sleep(TimeUnit.MILLISECONDS.toNanos(PAUSE_MS)); // the service may not have accepted all of them yet
        }
        return false;
    }

    private static boolean isHeld(Socket socket) {
        try {
            socket.setSoTimeout(1);
            socket.getInputStream().read();
            return false;
        } catch (SocketTimeoutException open) {
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    @Override
    public void close() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException gone) {
                // expected
            }
        }
    }
}
