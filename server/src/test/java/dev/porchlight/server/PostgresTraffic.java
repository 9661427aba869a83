// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A TCP proxy in front of PostgreSQL that counts round trips and transactions by its responses. Thread-safe. */
final class PostgresTraffic implements AutoCloseable {
    private final AtomicInteger roundTrips = new AtomicInteger();
    private final AtomicInteger transactions = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final URI target;

    PostgresTraffic(String jdbcUrl) throws IOException {
        target = URI.create(jdbcUrl.substring("jdbc:".length()));
        run(() -> {
            while (true) {
                Socket client = opened(listener.accept());
                Socket server = opened(new Socket(target.getHost(), target.getPort()));
                AtomicBoolean responded = new AtomicBoolean(true);
                run(() -> send(client, server, responded));
                run(() -> count(server, client, responded));
            }
        });
    }

    /** The URL of the database through this proxy, without TLS. */
    String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + listener.getLocalPort() + target.getPath() + "?" + target.getQuery()
                + "&sslmode=disable";
    }

    /** How often the client waited for a response so far. */
    int roundTrips() {
        return roundTrips.get();
    }

    /** The number of transactions so far, each alone or between BEGIN and COMMIT, without empty queries. */
    int transactions() {
        return transactions.get();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    /** Forwards what the client sends. Statements that follow without a wait for the response belong to one round trip. */
    private void send(Socket client, Socket server, AtomicBoolean responded) throws IOException {
        byte[] bytes = new byte[8_192];
        for (int n = client.getInputStream().read(bytes);
                n > 0;
                n = client.getInputStream().read(bytes)) {
            if (responded.getAndSet(false)) {
                roundTrips.incrementAndGet();
            }
            server.getOutputStream().write(bytes, 0, n);
        }
    }

    /** Forwards the server's messages. {@code ReadyForQuery} has the state I outside of a transaction. */
    private void count(Socket server, Socket client, AtomicBoolean responded) throws IOException {
        DataInputStream in = new DataInputStream(server.getInputStream());
        DataOutputStream out = new DataOutputStream(client.getOutputStream());
        boolean completed = false;
        while (true) {
            int type = in.readByte();
            int length = in.readInt();
            byte[] content = in.readNBytes(length - Integer.BYTES);
            completed |= type == 'C'; // CommandComplete
            responded.compareAndSet(false, type == 'Z');
            if (type == 'Z' && content[0] == 'I') {
                if (completed) {
                    transactions.incrementAndGet();
                }
                completed = false;
            }
            out.writeByte(type);
            out.writeInt(length);
            out.write(content);
        }
    }

    private Socket opened(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        open.add(socket);
        return socket;
    }

    @FunctionalInterface
    private interface Transfer {
        void run() throws IOException;
    }

    private static void run(Transfer transfer) {
        Thread thread = new Thread(() -> {
            try {
                transfer.run();
            } catch (IOException e) {
                // closed
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
