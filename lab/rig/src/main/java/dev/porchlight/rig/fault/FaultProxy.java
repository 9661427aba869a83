// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A TCP proxy on a free local port that injects faults, as configured by its {@link Toxics}. They may change while
 * connections are open. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {
    private static final int LOOK_AGAIN_MILLIS = 10;

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
        acceptor = thread("fault-proxy", this::accept);
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
                Carried carried = new Carried(client, accepted.incrementAndGet());
                open.add(carried);
                carried.begin();
            }
        } catch (IOException closed) {
            // closed
        }
    }

    static Thread thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** One connection, with a thread per direction. */
    private final class Carried {
        private final Socket client;
        private final Socket server = new Socket();
        private final int number;

        Carried(Socket client, int number) {
            this.client = client;
            this.number = number;
        }

        void begin() {
            thread("fault-proxy-" + number, this::carry);
        }

        /** Closes both sides with RST. */
        void reset() {
            for (Socket socket : new Socket[] {client, server}) {
                try {
                    socket.setSoLinger(true, 0);
                    socket.close();
                } catch (IOException alreadyClosed) {
                    // already closed
                }
            }
            open.remove(this);
        }

        private void carry() {
            try {
                waitOutBlackHole();
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                server.connect(target, 5_000);
            } catch (IOException | InterruptedException refused) {
                reset();
                return;
            }
            thread("fault-proxy-back-" + number, () -> pipe(server, client, true));
            pipe(client, server, false);
        }

        private void pipe(Socket from, Socket to, boolean back) {
            byte[] buffer = new byte[16_384];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    waitOutBlackHole();
                    Toxics now = toxics;
                    if (back && now.resetEvery() > 0 && number % now.resetEvery() == 0) {
                        reset();
                        return;
                    }
                    if (back) {
                        delay(now);
                    }
                    if (now.bytesPerSecond() > 0) {
                        Thread.sleep(count * 1_000L / now.bytesPerSecond());
                    }
                    out.write(buffer, 0, count);
                }
                waitOutBlackHole();
                to.shutdownOutput();
                if (back) {
                    client.close();
                    server.close();
                    open.remove(this);
                }
            } catch (IOException | InterruptedException broken) {
                reset();
            }
        }

        private void delay(Toxics now) throws InterruptedException {
            int jitter = now.jitterMillis();
            if (now.latencyMillis() > 0 || jitter > 0) {
                int varied = now.latencyMillis()
                        + (jitter > 0 ? ThreadLocalRandom.current().nextInt(-jitter, jitter + 1) : 0);
                Thread.sleep(Math.max(0, varied));
            }
        }

        private void waitOutBlackHole() throws InterruptedException {
            while (toxics.blackHole() && !client.isClosed()) {
                Thread.sleep(LOOK_AGAIN_MILLIS);
            }
        }
    }
}
