// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.fault;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A TCP proxy on a free port of this machine that spoils what it carries, as its {@link Toxics} say, which may change while
 * connections are open. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {
    private final InetSocketAddress target;
    private final Set<Carried> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();
    private volatile Toxics toxics = Toxics.NONE;
    private final ServerSocket listener;
    private final Thread acceptor;

    /** Begins at once, and carries connections to this port of this machine. */
    public FaultProxy(int targetPort) throws IOException {
        target = new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort);
        listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        acceptor = Carried.thread("fault-proxy", this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** What happens from now on, to open connections too. */
    public void set(Toxics now) {
        toxics = now;
    }

    /** How many connections there were so far. */
    public int accepted() {
        return accepted.get();
    }

    /** Resets all open connections; new ones are taken. */
    public void resetAll() {
        open.forEach(Carried::reset);
    }

    /** Refuses connections, and resets those that are open. */
    @Override
    public void close() throws IOException {
        listener.close();
        try {
            acceptor.join(); // the kernel keeps the port open until the thread that waits in accept has left it
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        resetAll();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Carried carried = new Carried(client, target, accepted.incrementAndGet(), () -> toxics, open::remove);
                open.add(carried);
                carried.begin();
            }
        } catch (IOException closed) {
            // no more connections
        }
    }
}
