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
import java.util.concurrent.atomic.AtomicInteger;

/** A TCP proxy in front of PostgreSQL that counts the transactions in its responses. Thread-safe. */
final class TransactionCounter implements AutoCloseable {
    private final AtomicInteger transactions = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final URI target;

    TransactionCounter(String jdbcUrl) throws IOException {
        target = URI.create(jdbcUrl.substring("jdbc:".length()));
        run(() -> {
            while (true) {
                Socket client = opened(listener.accept());
                Socket server = opened(new Socket(target.getHost(), target.getPort()));
                run(() -> client.getInputStream().transferTo(server.getOutputStream()));
                run(() -> count(server, client));
            }
        });
    }

    /** The URL of the database through this proxy, without TLS. */
    String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + listener.getLocalPort() + target.getPath() + "?" + target.getQuery()
                + "&sslmode=disable";
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

    /** Forwards the server's messages. {@code ReadyForQuery} has the state I outside of a transaction. */
    private void count(Socket server, Socket client) throws IOException {
        DataInputStream in = new DataInputStream(server.getInputStream());
        DataOutputStream out = new DataOutputStream(client.getOutputStream());
        boolean completed = false;
        while (true) {
            int type = in.readByte();
            int length = in.readInt();
            byte[] content = in.readNBytes(length - Integer.BYTES);
            completed |= type == 'C'; // CommandComplete
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
