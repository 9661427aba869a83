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
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on a free port of this machine that spoils what it carries, as its {@link Toxics} say, which may change while
 * connections are open. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {
    private final InetSocketAddress target;
    private final int port;
    private final Set<Carried> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();
    private volatile Toxics toxics = Toxics.NONE;
    private @Nullable ServerSocket listener;
    private Thread acceptor;

    /** Begins at once, and carries connections to this port of this machine. */
    public FaultProxy(int targetPort) throws IOException {
        target = new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort);
        listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        port = listener.getLocalPort();
        acceptor = accept(listener);
    }

    public int port() {
        return port;
    }

    /** What happens from now on, to open connections too. */
    public void set(Toxics now) {
        toxics = now;
    }

    /** How many connections there were so far. */
    public int accepted() {
        return accepted.get();
    }

    /** Refuses connections, and resets those that are open. */
    public synchronized void down() throws IOException {
        if (listener != null) {
            listener.close();
            listener = null;
            awaitAcceptor();
        }
        resetAll();
    }

    /** Takes connections again, at the same port. */
    public synchronized void up() throws IOException {
        if (listener == null) {
            listener = new ServerSocket();
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
            acceptor = accept(listener);
        }
    }

    /** Resets all open connections; new ones are taken. */
    public void resetAll() {
        open.forEach(Carried::reset);
    }

    @Override
    public void close() throws IOException {
        down();
    }

    /** The kernel keeps the port open until the thread that waits in accept has left it. */
    private void awaitAcceptor() {
        try {
            acceptor.join();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private Thread accept(ServerSocket socket) {
        return Carried.thread("fault-proxy", () -> {
            try {
                while (true) {
                    Socket client = socket.accept();
                    Carried carried =
                            new Carried(client, target, accepted.incrementAndGet(), () -> toxics, open::remove);
                    open.add(carried);
                    carried.begin();
                }
            } catch (IOException closed) {
                // down
            }
        });
    }
}
