// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.porchlight.support.Patience;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;

/**
 * A sign-up request that keeps sending spaces until {@link #finish}. It sends fast enough, because a stopping service closes
 * connections that pause for more than a second.
 */
final class SlowRequest implements AutoCloseable {
    private static final String SPACES = " ".repeat(320);

    private final Socket socket;
    private final Thread sending = new Thread(this::send);
    private volatile boolean waiting = true;

    SlowRequest(int port, String traceId) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(Patience.MILLIS);
        write("POST /auth/signup HTTP/1.1\r\nHost: localhost:" + port + "\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\ntraceparent: 00-" + traceId + "-00f067aa0ba902b7-01\r\n\r\n");
        sending.setDaemon(true);
        sending.start();
    }

    /** Sends the rest of the body and returns the head of the response. */
    String finish(String json) throws IOException, InterruptedException {
        waiting = false;
        sending.join();
        chunk(json);
        write("0\r\n\r\n");
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                return "closed after: " + head;
            }
            head.append((char) next);
        }
        return head.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private void send() {
        try {
            while (waiting) {
                chunk(SPACES);
                Thread.sleep(200);
            }
        } catch (IOException | InterruptedException closed) {
            // finish() reports it
        }
    }

    private void chunk(String text) throws IOException {
        write(Integer.toHexString(text.length()) + "\r\n" + text + "\r\n");
    }

    private void write(String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(US_ASCII));
        out.flush();
    }
}
