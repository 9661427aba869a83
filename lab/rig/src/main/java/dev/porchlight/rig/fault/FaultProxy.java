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
 * A TCP proxy on a free local port that injects faults, as configured by its {@link Toxics}. They may change while
 * connections are open. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {
    private final InetSocketAddress target;
    private final Set<Carried> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();
    private volatile Toxics toxics = Toxics.NONE;
    private final ServerSocket listener;
    private final Thread acceptor;

    /** Starts a proxy to this local port. */
    public FaultProxy(int targetPort) throws IOException {
        target = new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort);
        listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        acceptor = Carried.thread("fault-proxy", this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Sets the faults from now on, for open connections too. */
    public void set(Toxics now) {
        toxics = now;
    }

    /** The number of connections accepted so far. */
    public int accepted() {
        return accepted.get();
    }

    /** Resets all open connections. New connections are still accepted. */
    public void resetAll() {
        open.forEach(Carried::reset);
    }

    /** Resets open connections and refuses new ones. */
    @Override
    public void close() throws IOException {
        listener.close();
        try {
            acceptor.join(); // the kernel keeps the port open until accept returns
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
            // closed
        }
    }
}
