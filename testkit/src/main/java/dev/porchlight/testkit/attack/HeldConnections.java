// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attack;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Connections on which something was begun and is not finished. For one thread. */
final class HeldConnections implements AutoCloseable {
    private final List<Socket> sockets = new ArrayList<>();

    /** Opens so many, as far as the service lets it, and sends the beginning of a request on each. */
    void open(Target target, int count, String beginning) {
        for (int i = 0; i < count; i++) {
            try {
                Socket socket = target.connect();
                sockets.add(socket);
                RawConnection.send(socket, beginning);
            } catch (IOException closed) {
                // counts as closed
            }
        }
    }

    /** How many of them the service holds without a response, once that are less than so many or some seconds have passed. */
    int held(int wanted) {
        int held = held();
        for (int i = 0; i < 10 && held >= wanted; i++) {
            try {
                TimeUnit.MILLISECONDS.sleep(300); // it may not have accepted all of them yet
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AttackException("interrupted");
            }
            held = held();
        }
        return held;
    }

    private int held() {
        int held = 0;
        for (Socket socket : sockets) {
            held += isHeld(socket) ? 1 : 0;
        }
        return held;
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
                // as it should be
            }
        }
    }
}
