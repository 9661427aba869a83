// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** The open streams of one source of server-sent events, up to a limit. Thread-safe. */
public final class EventStreams {
    private static final Problem FULL =
            Problem.of(503, "too_many_streams", "Too many open streams. Try again in a moment.");
    private static final byte[] WELCOME = ": welcome\nretry: 3000\n\n".getBytes(StandardCharsets.UTF_8);

    private final int max;
    final Map<EventStream, BooleanSupplier> listening = new ConcurrentHashMap<>();
    private volatile boolean closed;

    public EventStreams(int max) {
        this.max = max;
    }

    /** Returns a response that streams events from now on, while the listener is allowed to receive them. */
    public Response join(BooleanSupplier allowed) throws ProblemException {
        if (closed) {
            throw new ProblemException(Problem.SHUTTING_DOWN);
        }
        if (listening.size() >= max) {
            throw new ProblemException(FULL);
        }
        return Response.stream("text/event-stream", stream -> add(stream, allowed))
                .with("Cache-Control", "no-store")
                .with("X-Accel-Buffering", "no"); // otherwise some proxies buffer events
    }

    /** Sends an event to all streams, and ends those whose listener is no longer allowed; {@code json} has no line breaks. */
    public void send(String name, String json) {
        if (!listening.isEmpty()) {
            byte[] event = ("event: " + name + "\ndata: " + json + "\n\n").getBytes(StandardCharsets.UTF_8);
            listening.forEach((stream, allowed) -> {
                if (allowed.getAsBoolean()) {
                    stream.send(event);
                } else {
                    stream.close();
                }
            });
        }
    }

    /** Ends all streams, so that nothing waits for them, and refuses new ones. */
    public void close() {
        closed = true;
        listening.keySet().forEach(EventStream::close);
    }

    private void add(EventStream stream, BooleanSupplier allowed) {
        stream.onEnd(() -> listening.remove(stream));
        listening.put(stream, allowed);
        stream.send(WELCOME);
        if (closed || listening.size() > max) {
            stream.close(); // joined while this was being closed
        }
    }
}
