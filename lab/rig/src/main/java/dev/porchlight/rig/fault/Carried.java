// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One connection through a {@link FaultProxy}, with a thread per direction. Thread-safe. */
final class Carried {
    private static final int LOOK_AGAIN_MILLIS = 10;

    private final Socket client;
    private final Socket server = new Socket();
    private final InetSocketAddress target;
    private final int number;
    private final Supplier<Toxics> toxics;
    private final Consumer<Carried> gone;

    Carried(Socket client, InetSocketAddress target, int number, Supplier<Toxics> toxics, Consumer<Carried> gone) {
        this.client = client;
        this.target = target;
        this.number = number;
        this.toxics = toxics;
        this.gone = gone;
    }

    static Thread thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
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
        gone.accept(this);
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
                Toxics now = toxics.get();
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
                gone.accept(this);
            }
        } catch (IOException | InterruptedException broken) {
            reset();
        }
    }

    private static void delay(Toxics now) throws InterruptedException {
        int jitter = now.jitterMillis();
        if (now.latencyMillis() > 0 || jitter > 0) {
            int varied = now.latencyMillis()
                    + (jitter > 0 ? ThreadLocalRandom.current().nextInt(-jitter, jitter + 1) : 0);
            Thread.sleep(Math.max(0, varied));
        }
    }

    private void waitOutBlackHole() throws InterruptedException {
        while (toxics.get().blackHole() && !client.isClosed()) {
            Thread.sleep(LOOK_AGAIN_MILLIS);
        }
    }
}
