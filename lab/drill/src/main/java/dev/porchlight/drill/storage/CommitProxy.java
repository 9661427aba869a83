// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A proxy in front of PostgreSQL that breaks a connection between the statement with the logins of a unit and the response to its
 * commit. The client's next message after that statement has the audit rows and the commit. Thread-safe.
 */
final class CommitProxy implements AutoCloseable {
    /** The beginning of the statement with the logins. */
    private static final String CEREMONIES = "WITH passkey AS MATERIALIZED";

    /** When a connection breaks. */
    enum Point {
        STATEMENT("before the response to the statement"),
        BEFORE("before the message with the commit is sent"),
        MESSAGE("before that message arrives"),
        PART("within that message"),
        RESPONSE("before the response to the commit");

        private final String text;

        Point(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * A fault for one unit.
     *
     * @param hangs whether the connection stays open and silent, instead of being closed
     * @param share of the message that arrives with {@link Point#PART}
     */
    record Fault(Point point, boolean hangs, double share) {}

    private final int target;
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Carried> open = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Fault> armed = new AtomicReference<>();
    private final AtomicInteger fired = new AtomicInteger();

    /** Starts a proxy to PostgreSQL on this local port. */
    CommitProxy(int target) throws IOException {
        this.target = target;
        run(() -> {
            while (true) {
                Carried carried = new Carried(listener.accept(), new Socket(InetAddress.getLoopbackAddress(), target));
                open.add(carried);
                run(carried::toServer);
                run(carried::toClient);
            }
        });
    }

    /** The same URL without messages that this proxy does not read. */
    static String plain(String jdbcUrl) {
        return jdbcUrl + "&sslmode=disable&gssEncMode=disable";
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Breaks the connection of the next unit with logins. */
    void arm(Fault fault) {
        armed.set(fault);
    }

    /** The number of connections broken so far. */
    int fired() {
        return fired.get();
    }

    /** Closes the connections that hang. */
    void release() throws IOException {
        for (Carried carried : open) {
            if (carried.fault != null) {
                carried.close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Carried carried : open) {
            carried.close();
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void run(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException closed) {
                        // closed
                    }
                },
                "commit-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    /** One connection, with a thread per direction. */
    private final class Carried {
        private final Socket client;
        private final Socket server;
        /** The names of prepared statements with logins; only for the thread to the server. */
        private final Set<String> ceremonies = new HashSet<>();

        /** The number of requests, each of which gets ReadyForQuery; the startup is the first. */
        private int requests = 1;

        private int responses;
        /** The number of the latest request with logins. BEGIN, in the same packet, is a separate request. */
        private volatile int ceremony;

        private volatile @Nullable Fault fault;

        Carried(Socket client, Socket server) throws IOException {
            this.client = client;
            this.server = server;
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        }

        void close() throws IOException {
            open.remove(this);
            client.close();
            server.close();
        }

        /** Forwards the client's messages. The message with the commit ends with Sync. */
        private void toServer() throws IOException {
            DataInputStream in = new DataInputStream(client.getInputStream());
            OutputStream out = server.getOutputStream();
            byte[] first = in.readNBytes(Integer.BYTES); // the startup message has no type
            out.write(first);
            out.write(in.readNBytes(ByteBuffer.wrap(first).getInt() - Integer.BYTES));
            try {
                byte[] message = read(in);
                while (fault == null) {
                    recognize(message);
                    out.write(message);
                    message = read(in);
                }
                ByteArrayOutputStream whole = new ByteArrayOutputStream();
                whole.writeBytes(message);
                while (message[0] != 'S') {
                    message = read(in);
                    whole.writeBytes(message);
                }
                sendPart(whole.toByteArray(), Objects.requireNonNull(fault), out);
            } catch (IOException e) {
                endUnlessBroken();
            }
        }

        private void sendPart(byte[] message, Fault broken, OutputStream out) throws IOException {
            switch (broken.point()) {
                case RESPONSE -> out.write(message); // the other thread waits for the response
                case PART -> {
                    out.write(message, 0, (int) (message.length * broken.share()));
                    end(broken);
                }
                default -> end(broken);
            }
        }

        /** Recognizes a request with logins: by Parse, which names a statement, and Bind, which uses it. */
        private void recognize(byte[] message) {
            String[] texts =
                    new String(message, 1 + Integer.BYTES, message.length - 1 - Integer.BYTES, UTF_8).split("\0", 3);
            if (message[0] == 'P') {
                ceremonies.remove(texts[0]);
                if (texts[1].startsWith(CEREMONIES)) {
                    ceremonies.add(texts[0]);
                }
            } else if (message[0] == 'B' && ceremonies.contains(texts[1])) {
                ceremony = requests + 1;
            } else if (message[0] == 'S' || message[0] == 'Q') {
                requests++;
            }
        }

        /** Forwards the server's messages. ReadyForQuery with the state T is between the statement and the commit. */
        private void toClient() throws IOException {
            DataInputStream in = new DataInputStream(server.getInputStream());
            OutputStream out = client.getOutputStream();
            try {
                while (true) {
                    byte[] message = read(in);
                    Fault now = isBetween(message) ? armed.getAndSet(null) : null;
                    if (now == null) {
                        out.write(message);
                    } else {
                        fired.incrementAndGet();
                        fault = now; // before the client can send
                        if (now.point() != Point.STATEMENT) {
                            out.write(message);
                        }
                        if (now.point() == Point.RESPONSE) {
                            awaitReady(in);
                        }
                        if (now.point() != Point.MESSAGE && now.point() != Point.PART) {
                            end(now);
                        }
                        return;
                    }
                }
            } catch (IOException e) {
                endUnlessBroken();
            }
        }

        private boolean isBetween(byte[] message) {
            if (message[0] != 'Z') {
                return false;
            }
            responses++;
            return responses == ceremony && message[message.length - 1] == 'T';
        }

        private void awaitReady(DataInputStream in) throws IOException {
            while (read(in)[0] != 'Z') {
                // the response to the commit
            }
        }

        private void end(Fault broken) throws IOException {
            if (!broken.hangs()) {
                close();
            }
        }

        /** Passes on that a side closed its connection, unless the connection hangs. */
        private void endUnlessBroken() throws IOException {
            if (fault == null) {
                close();
            }
        }

        /** A message with its type and length. */
        private byte[] read(DataInputStream in) throws IOException {
            byte type = in.readByte();
            int length = in.readInt();
            byte[] message = new byte[1 + length];
            ByteBuffer.wrap(message).put(type).putInt(length);
            in.readFully(message, 1 + Integer.BYTES, length - Integer.BYTES);
            return message;
        }
    }
}
