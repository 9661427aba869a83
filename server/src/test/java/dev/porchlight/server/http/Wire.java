// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.io.IOException;
import java.net.Socket;
import java.util.HexFormat;

/** Raw bytes on a socket, for requests that no HTTP client would send. */
final class Wire {
    private Wire() {}

    /** Reads the head of a response, as far as it arrives. */
    static String readHead(Socket socket) throws IOException {
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

    /** Sends an HTTP/2 frame. */
    static void frame(Socket socket, int type, int flags, int stream, String hex) throws IOException {
        byte[] payload = HexFormat.of().parseHex(hex);
        byte[] frame = new byte[9 + payload.length];
        frame[2] = (byte) payload.length;
        frame[3] = (byte) type;
        frame[4] = (byte) flags;
        frame[8] = (byte) stream;
        System.arraycopy(payload, 0, frame, 9, payload.length);
        socket.getOutputStream().write(frame);
    }
}
