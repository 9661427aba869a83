// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A TCP forwarder that can be frozen, so that nothing passes, or cut. */
public final class Forwarder implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final int target;
    private boolean frozen;

    public Forwarder(int target) throws IOException {
        this.target = target;
        daemon(this::accept);
    }

    public int port() {
        return listener.getLocalPort();
    }

    public synchronized void freeze() {
        frozen = true;
    }

    public synchronized void thaw() {
        frozen = false;
        notifyAll();
    }

    private void accept() throws Exception {
        while (true) {
            Socket client = listener.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.addAll(List.of(client, server));
            daemon(() -> pump(client, server));
            daemon(() -> pump(server, client));
        }
    }

    private void pump(Socket from, Socket to) throws Exception {
        byte[] buffer = new byte[8_192];
        try (from;
                to) {
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                pass();
                to.getOutputStream().write(buffer, 0, read);
            }
        }
    }

    private synchronized void pass() throws InterruptedException {
        while (frozen) {
            wait();
        }
    }

    @Override
    public void close() throws IOException {
        cut();
    }

    /** Closes all connections and accepts no more. */
    public void cut() throws IOException {
        listener.close();
        drop();
    }

    /** Closes all connections and accepts new ones. */
    public void drop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private interface Task {
        void run() throws Exception;
    }

    private static void daemon(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (Exception closed) {
                // a socket was closed
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
